// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Which members have lately confirmed that they list this one. While the network may be split, an owner acts only if a
 * quorum has: one that was cut off, paused or removed must not believe what it last knew.
 *
 * <p>A confirmation counts from the moment in which it was asked for, by the wall clock and by the monotonic one, and
 * only while the list of members is still the one it was asked under: an owner that has just dropped members wants fewer
 * backups, and what it grants must not rest on confirmations of before.
 *
 * <p>Thread-safe.
 */
public final class Confirmations {
    /** How long a confirmation counts. */
    public static final long MAX_AGE_MILLIS = 10_000;

    private final Map<UUID, Asked> byMember = new ConcurrentHashMap<>();

    /**
     * When a confirmation was asked for.
     *
     * @param memberListVersion the version of the list of members
     * @param millis the wall clock
     * @param nanos the monotonic clock
     */
    public record Asked(int memberListVersion, long millis, long nanos) {
        boolean counts(Asked now) {
            long ageMillis = Math.max(now.millis - millis, TimeUnit.NANOSECONDS.toMillis(now.nanos - nanos));
            return memberListVersion == now.memberListVersion && ageMillis <= MAX_AGE_MILLIS;
        }
    }

    /** Notes that a member confirmed; of two, the one that was asked for later counts. */
    public void add(UUID member, Asked asked) {
        byMember.merge(member, asked, (before, after) -> after.nanos - before.nanos > 0 ? after : before);
    }

    /** Forgets members that are not listed any more. */
    public void retain(Set<UUID> members) {
        byMember.keySet().retainAll(members);
    }

    /** Returns how many other members' confirmations count. */
    public int count(Asked now) {
        return (int)
                byMember.values().stream().filter(asked -> asked.counts(now)).count();
    }
}
