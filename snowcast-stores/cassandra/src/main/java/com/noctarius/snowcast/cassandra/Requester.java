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

    /** A change takes about as long as so many posts: so long a client waits for that of another one. */
    private static final int POSTS_PER_CHANGE = 4;

    private final UUID client;
    private long number;
    private long size;
    /** The number of the last request that was posted. */
    private long posted;

    private boolean hasMet;
    private boolean hasChanged;
    /** Whether other clients reserved the block of the last request. */
    private boolean isServed;

    private long looks;
    private Requests seen = Requests.NONE;

    Requester(UUID client) {
        this.client = client;
    }

    /** Begins a request: what was granted to the one before is never used any more. */
    void begin(long newSize) {
        isServed = number > 0 && !hasChanged;
        number++;
        size = newSize;
        hasMet = false;
        hasChanged = false;
        looks = 0;
    }

    /** Notes that another client has moved the row. */
    void met() {
        hasMet = true;
    }

    /** Takes over what was read or changed, and returns the block that is reserved for this request. */
    Optional<Requests.Grant> saw(Requests present) {
        seen = present;
        return present.granted(client, number);
    }

    /**
     * Posts the request, if there are other clients.
     *
     * @return whether this client is to look again after a while; otherwise it is to change the row now
     */
    boolean waits(BiConsumer<UUID, List<Long>> row) {
        if (!hasMet && !seen.hasOthersThan(client)) {
            return false;
        }
        // Once: a node with a clock that was ahead may have written what hides this request for as long.
        if (posted != number) {
            row.accept(client, List.of(number, size));
            posted = number;
            return true;
        }
        // One that has its block may be about to post again, to be served by the same change.
        long looksDue = seen.areAllWaitingBut(client) ? 0 : 1;
        return looks++ < Math.max(looksDue, LOOKS_PER_CLIENT * seen.waitingBefore(client));
    }

    /**
     * Returns how long to wait before a look, in times of a post: others that were served at the same time post, too.
     */
    int postsToWait() {
        return isServed && looks == 0 ? POSTS_PER_CHANGE : 1;
    }

    /** Returns a block for this request, and for those of the others. */
    Requests.Grants grants(long first, long left) {
        hasChanged = true;
        return seen.grant(client, number, size, first, left);
    }
}
