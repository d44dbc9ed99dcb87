// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * Decides how one client reserves integers of a row that it shares with other clients, so that their concurrent changes
 * do not make each other fail. A client has at most one request at a time. As long as a client has noticed no other
 * client, it changes the row directly. Clients that have noticed others post their requests in the row. The client with
 * the lowest ID among the waiting ones changes the row for all of them, and the others read the row until their
 * requests are granted. Clients that wait too long take over in the order of their IDs. Not thread-safe.
 */
final class Requester {
    /** A client takes over after this many reads of the row for each waiting client with a lower ID. */
    private static final int LOOKS_PER_CLIENT = 8;

    /** A change takes about as long as this many posts. */
    private static final int POSTS_PER_CHANGE = 4;

    private final UUID client;
    private long number;
    private long size;
    /** The number of the last request that was posted. */
    private long posted;

    private boolean hasMet;
    private boolean hasChanged;
    /**
     * Whether another client probably reserved the block of this client's previous request: this client did not try to
     * change the row for that request.
     */
    private boolean isServed;

    private long looks;
    private Requests seen = Requests.NONE;

    Requester(UUID client) {
        this.client = client;
    }

    /** Begins a request. A grant to the previous request is never used afterwards. */
    void begin(long newSize) {
        isServed = number > 0 && !hasChanged;
        number++;
        size = newSize;
        hasMet = false;
        hasChanged = false;
        looks = 0;
    }

    /** Notes that another client has changed the row. */
    void met() {
        hasMet = true;
    }

    /** Notes a state of the row that was read or written. Returns the block that it grants to the request, if any. */
    Optional<Requests.Grant> saw(Requests present) {
        seen = present;
        return present.granted(client, number);
    }

    /**
     * Posts the request once, if this client has noticed another client.
     *
     * @return true if this client should read the row again after a pause; false if it should change the row now
     */
    boolean waits(BiConsumer<UUID, List<Long>> row) {
        if (!hasMet && !seen.hasOthersThan(client)) {
            return false;
        }
        // Post once, even if the request does not become visible. If the session leaves timestamps to the nodes, an
        // earlier post through a node whose clock was ahead may hide it, and further posts, for a long time.
        if (posted != number) {
            row.accept(client, List.of(number, size));
            posted = number;
            return true;
        }
        // If another client has got its block, read the row once more: that client may post again soon, and one change
        // can then serve both clients.
        long looksDue = seen.areAllWaitingBut(client) ? 0 : 1;
        return looks++ < Math.max(looksDue, LOOKS_PER_CLIENT * seen.waitingBefore(client));
    }

    /**
     * Returns how long to wait before reading the row, in units of the time that a post takes. If another client's
     * change granted this client's previous block, the first wait is longer: all clients that were served by that
     * change may now post at the same time.
     */
    int postsToWait() {
        return isServed && looks == 0 ? POSTS_PER_CHANGE : 1;
    }

    /** Returns grants for this request and for the waiting requests of other clients. */
    Requests.Grants grants(long first, long left) {
        hasChanged = true;
        return seen.grant(client, number, size, first, left);
    }
}
