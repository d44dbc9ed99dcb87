// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * A client of a row, with one request at a time. A client that meets no other changes the row without a word. One that
 * does posts its request. Of the requests that wait, the first by the ID of its client changes the row for all of them;
 * the others look whether that was done, and one after the other take over if it was not. Not thread-safe.
 */
final class Requester {
    /** A client looks so often for each one before it, until it takes over. */
    private static final int LOOKS_PER_CLIENT = 8;

    /** So often, if another one has its block already: it may be about to post again, to be served by the same change. */
    private static final int LOOKS_FOR_OTHERS = 3;

    private final UUID client;
    private long number;
    private long size;
    /** The number of the last request that this row has. */
    private long posted;

    private boolean isShared;
    private long looks;
    private Requests seen = Requests.NONE;

    Requester(UUID client) {
        this.client = client;
    }

    /** Begins a request: what was granted to the one before is never used any more. */
    void begin(long newSize) {
        number++;
        size = newSize;
        isShared = seen.hasOthersThan(client);
        looks = 0;
    }

    /** Whether other clients use the row, too. */
    boolean isShared() {
        return isShared;
    }

    /** Notes that another client has moved the row. */
    void met() {
        isShared = true;
    }

    /** Goes over to another row, of which nothing is known. */
    void leave() {
        seen = Requests.NONE;
        isShared = false;
        posted = 0;
    }

    /** Takes over what was read, and returns the block that another client reserved for this request. */
    Optional<Requests.Grant> saw(Requests present) {
        seen = present;
        isShared |= present.hasOthersThan(client);
        return present.granted(client, number);
    }

    /**
     * Posts the request, if there are other clients.
     *
     * @return whether this client is to look again after a while; otherwise it is to change the row now
     */
    boolean waits(BiConsumer<UUID, List<Long>> row) {
        if (isShared && posted != number) {
            row.accept(client, List.of(number, size));
            posted = number;
            return true;
        }
        long looksDue = Math.max(
                seen.areAllWaitingBut(client) ? 0 : LOOKS_FOR_OTHERS, LOOKS_PER_CLIENT * seen.waitingBefore(client));
        return isShared && looks++ < looksDue;
    }

    /** Returns a block for this request, and for those of the others. */
    Requests.Grants grants(long first, long left) {
        return seen.grant(client, number, size, first, left);
    }

    /** Notes that these grants were made, and returns the block of this client. */
    Requests.Grant granted(Requests.Grants grants) {
        return saw(new Requests(seen.posted(), grants.all())).orElseThrow();
    }

    Requests seen() {
        return seen;
    }
}
