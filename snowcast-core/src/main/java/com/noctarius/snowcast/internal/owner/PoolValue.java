// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a pool has handed out: integers up to one number. Immutable.
 *
 * @param highest the highest integer that was handed out or left out; -1 if there is none
 * @param takeovers the last {@link #MAX_TAKEOVERS} owners, for a merge
 * @param acknowledgers the backups that had to acknowledge what the present owner answered
 */
public record PoolValue(long highest, List<Takeover> takeovers, Acknowledgers acknowledgers) {
    /** How many owners a split may be behind. */
    static final int MAX_TAKEOVERS = 16;

    /**
     * The beginning of an owner, of a life, or of what follows a merge.
     *
     * @param epoch random; of a life the same on two sides, if one request reaches both
     * @param member the backup that took over, or the member that created the sequence if nothing was lost before; else null
     * @param lastChange the last change that the backup knew; of a life without a known creator, the change that began it,
     *     which is another one on each side; else 0
     * @param highest all integers above it, up to the pool's highest one, may have been handed out since
     */
    public record Takeover(long epoch, @Nullable UUID member, long lastChange, long highest) {
        boolean isOfBackup() {
            return member != null && lastChange != 0;
        }
    }

    /** Before the first life, or after a loss, on all sides of a split alike: nothing was handed out since. */
    static final PoolValue NONE =
            new PoolValue(-1, List.of(new Takeover(0, null, 0, Long.MAX_VALUE)), Acknowledgers.UNKNOWN);

    public PoolValue {
        takeovers = List.copyOf(takeovers);
    }

    PoolValue withHighest(long newHighest) {
        return new PoolValue(newHighest, takeovers, acknowledgers);
    }

    /**
     * Begins the next life above an integer, or continues the same one after a loss. The owners of the former life are
     * remembered: the network may have been split before this life.
     *
     * @param creator the member that begins it, if it is known that it was not created before; else null
     */
    PoolValue beginningAbove(long taken, long epoch, @Nullable UUID creator, long change) {
        return new PoolValue(
                taken, and(new Takeover(epoch, creator, creator == null ? change : 0, taken)), acknowledgers);
    }

    /** A backup takes over, and has answered nothing. */
    PoolValue takenOver(long epoch, UUID member, long lastChange) {
        return new PoolValue(
                highest, and(new Takeover(epoch, member, lastChange, highest)), Acknowledgers.NOTHING_ANSWERED);
    }

    /** Continues above both sides of a split; what they handed out since then begins above another integer. */
    PoolValue merged(long epoch, long newHighest, long handedOutAbove) {
        return new PoolValue(newHighest, and(new Takeover(epoch, null, 0, handedOutAbove)), Acknowledgers.UNKNOWN);
    }

    private List<Takeover> and(Takeover next) {
        return newest(takeovers, next, MAX_TAKEOVERS);
    }

    static <T> List<T> newest(List<T> items, T next, int count) {
        List<T> kept = new ArrayList<>(items);
        kept.add(next);
        return kept.subList(Math.max(kept.size() - count, 0), kept.size());
    }

    /** The present owner is about to answer a request, which some backups have to acknowledge. */
    PoolValue acknowledgedBy(List<UUID> backups, long lastChange) {
        return with(acknowledgers.next(backups, lastChange));
    }

    private PoolValue with(Acknowledgers next) {
        return new PoolValue(highest, takeovers, next);
    }

    Takeover present() {
        return takeovers.get(takeovers.size() - 1);
    }

    /** Whether a life, or what followed a loss, began with a request of that epoch, as far as is remembered. */
    boolean isBegunBy(long epoch) {
        return takeovers.stream().anyMatch(takeover -> takeover.epoch == epoch);
    }
}
