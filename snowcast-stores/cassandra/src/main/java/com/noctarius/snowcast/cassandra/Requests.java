// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The requests that clients have posted to a row, and the block that each of these clients was granted last.
 *
 * <p>A request is {@code number, size}. A client writes its request without a condition, and the request expires. A
 * grant is {@code number, first, count}. The conditional change that moves the row forward also writes the grants of
 * the integers that it reserves, so each integer is granted once, to one client. A client uses at most one grant for
 * each of its request numbers. If other clients see a request late or never, the request only takes longer. If a client
 * does not read its grant, the granted integers become a gap.
 *
 * @param posted the request of each client that has posted one recently
 * @param granted the last grants of the clients whose requests had not expired at the last change, and of the client
 *     that made that change
 */
record Requests(Map<UUID, List<Long>> posted, Map<UUID, List<Long>> granted) {
    static final Requests NONE = new Requests(Map.of(), Map.of());

    /** After how many seconds a request expires. */
    static final int SECONDS = 5;

    /** Stands for a missing request or grant. Its number, 0, is below the numbers of all requests. */
    private static final List<Long> NOTHING = List.of(0L);

    private static final GenericType<Map<UUID, List<Long>>> BY_CLIENT =
            GenericType.mapOf(GenericType.UUID, GenericType.listOf(Long.class));

    /** The block that was granted to a request. */
    record Grant(long first, long count) {}

    /** All grants of a row after a change, and the first integer (in a stripe, its index) that is not reserved then. */
    record Grants(Map<UUID, List<Long>> all, long next) {
        static Grants none(long next) {
            return new Grants(Map.of(), next);
        }
    }

    static Requests of(Row row) {
        return new Requests(byClient(row, "posted"), byClient(row, "granted"));
    }

    private static Map<UUID, List<Long>> byClient(Row row, String column) {
        Map<UUID, List<Long>> map = row.get(column, BY_CLIENT);
        return map == null ? Map.of() : map;
    }

    Requests with(Grants grants) {
        return new Requests(posted, grants.all);
    }

    boolean hasOthersThan(UUID client) {
        return posted.keySet().stream().anyMatch(other -> !other.equals(client));
    }

    Optional<Grant> granted(UUID client, long number) {
        List<Long> grant = granted.getOrDefault(client, NOTHING);
        return grant.get(0) == number ? Optional.of(new Grant(grant.get(1), grant.get(2))) : Optional.empty();
    }

    /** Returns how many clients with lower IDs than {@code client} have requests that are not granted yet. */
    long waitingBefore(UUID client) {
        return posted.keySet().stream()
                .filter(other -> other.compareTo(client) < 0 && isWaiting(other))
                .count();
    }

    boolean areAllWaitingBut(UUID client) {
        return posted.keySet().stream().allMatch(other -> other.equals(client) || isWaiting(other));
    }

    private boolean isWaiting(UUID client) {
        return granted.getOrDefault(client, NOTHING).get(0)
                < posted.getOrDefault(client, NOTHING).get(0);
    }

    /**
     * Grants a block to a client's request and to each waiting request of the other clients, until the row has no more
     * integers. Keeps the last grant of every other client until its request expires, because that client may not have
     * read the grant yet.
     *
     * @param first the next integer of the row
     * @param left how many integers the row has left, 1 or more
     */
    Grants grant(UUID client, long number, long size, long first, long left) {
        Map<UUID, List<Long>> all = new HashMap<>(granted);
        all.keySet().retainAll(posted.keySet());
        long next = first + Math.min(size, left);
        all.put(client, List.of(number, first, next - first));
        for (Map.Entry<UUID, List<Long>> request : posted.entrySet()) {
            UUID other = request.getKey();
            long count = Math.min(request.getValue().get(1), first + left - next);
            if (!other.equals(client) && isWaiting(other) && count > 0) {
                all.put(other, List.of(request.getValue().get(0), next, count));
                next += count;
            }
        }
        return new Grants(all, next);
    }
}
