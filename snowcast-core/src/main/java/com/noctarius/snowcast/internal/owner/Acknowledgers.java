// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The backups that had to acknowledge what an owner answered lately. Immutable.
 *
 * <p>An answer counts only if all of them have acknowledged the change behind it. So a backup that became the owner on the
 * other side of a split, and that does not have a change, proves that no holder was given what that change says: the merge
 * has nothing to report of it.
 *
 * @param members in any order; empty if it is not known who has acknowledged
 * @param sinceChange the last change that was made before the first request that these members had to acknowledge
 */
public record Acknowledgers(List<UUID> members, long sinceChange) {
    /** No member is known to have acknowledged what was answered. */
    public static final Acknowledgers UNKNOWN = new Acknowledgers(List.of(), 0);

    /** Nothing was answered yet. */
    public static final Acknowledgers NOTHING_ANSWERED = new Acknowledgers(List.of(), Long.MAX_VALUE);

    public Acknowledgers {
        members = List.copyOf(members);
    }

    /** Returns what holds after a request that some members have to acknowledge, and that follows a change. */
    public Acknowledgers next(List<UUID> ofRequest, long lastChange) {
        boolean isSame = members.size() == ofRequest.size() && members.containsAll(ofRequest);
        return isSame && !isNothingAnswered() ? this : new Acknowledgers(ofRequest, lastChange);
    }

    public boolean isNothingAnswered() {
        return sinceChange == Long.MAX_VALUE;
    }

    /** Whether they had to acknowledge all that was ever answered under a name. */
    public boolean areOfAll() {
        return sinceChange == 0;
    }

    /**
     * Whether all that was answered is known to a replica.
     *
     * @param replica null if it is not known which member it is
     * @param lastChange the owner's last change that it knows
     */
    public boolean knows(@Nullable UUID replica, long lastChange) {
        return replica != null && members.contains(replica) && lastChange >= sinceChange;
    }
}
