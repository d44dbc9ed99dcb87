// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.internal.generator.Guard;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.TableRules;

/**
 * What a search covers.
 *
 * @param nodeIds how many node IDs there are
 * @param ticks how often the time moves on
 * @param lease the lease, in ticks
 * @param skew how far clocks may be ahead, in ticks
 * @param messages how many messages are under way at most
 * @param clocks how far a clock is off the true time at most, either way
 * @param faults how often what may happen
 * @param split what holds when the network is split
 * @param lag how far the ticked time of a holder may be behind its clock, in ticks
 * @param isSuccessor whether another generator has issued all IDs up to the beginning, and the definition says so
 * @param isGuarded whether the name is a node lease, and a guard judges the IDs of another generator
 * @param backups how many members have a copy of the table beside the owner
 */
record Scope(
        int nodeIds,
        int ticks,
        int lease,
        int skew,
        int messages,
        int clocks,
        Faults faults,
        SplitRule split,
        int lag,
        boolean isSuccessor,
        boolean isGuarded,
        int backups) {
    Scope(int nodeIds, int ticks, int lease, int skew, int messages, int clocks, Faults faults, SplitRule split) {
        this(nodeIds, ticks, lease, skew, messages, clocks, faults, split, 0, false, false, 1);
    }

    /** The same, while the IDs of holders go by a time that is ticked late. */
    Scope ticked() {
        return new Scope(
                nodeIds, ticks, lease, skew, messages, clocks, faults, split, 1, isSuccessor, isGuarded, backups);
    }

    /** The same, of a definition that follows another generator. */
    Scope successor() {
        return new Scope(nodeIds, ticks, lease, skew, messages, clocks, faults, split, lag, true, isGuarded, backups);
    }

    /** The same of a node lease. */
    Scope guarded() {
        return new Scope(nodeIds, ticks, lease, skew, messages, clocks, faults, split, lag, isSuccessor, true, backups);
    }

    /** The same with two backups. */
    Scope twoBackups() {
        return new Scope(nodeIds, ticks, lease, skew, messages, clocks, faults, split, lag, isSuccessor, isGuarded, 2);
    }

    Definition definition() {
        if (isGuarded) {
            return new Definition(0, Guard.LAYOUT, backups, null, 2);
        }
        return new Definition(0, Holder.LAYOUT, backups, isSuccessor ? Holder.LAYOUT.compose(State.START, 1, 0) : null);
    }

    /**
     * How often things may happen.
     *
     * @param attaches requests for a grant, by all holders
     * @param duplicates messages that arrive twice
     * @param crashes members that are gone
     * @param losses times that all replicas are gone at once
     * @param clockSteps steps of a clock by one tick
     * @param splits times that owner and backup do not reach each other
     * @param merges times that they do again; else the duplicates of a split are those that a merge would report
     */
    record Faults(int attaches, int duplicates, int crashes, int losses, int clockSteps, int splits, int merges) {
        void describe(Fingerprint to) {
            to.number(attaches);
            to.number(duplicates);
            to.number(crashes);
            to.number(losses);
            to.number(clockSteps);
            to.number(splits);
            to.number(merges);
        }

        /** A backup that will not become the owner makes no difference, and is left out. */
        boolean needBackup() {
            return crashes + splits > 0;
        }

        Faults lessAttaches() {
            return new Faults(attaches - 1, duplicates, crashes, losses, clockSteps, splits, merges);
        }

        Faults lessDuplicates() {
            return new Faults(attaches, duplicates - 1, crashes, losses, clockSteps, splits, merges);
        }

        Faults lessCrashes() {
            return new Faults(attaches, duplicates, crashes - 1, losses, clockSteps, splits, merges);
        }

        Faults lessLosses() {
            return new Faults(attaches, duplicates, crashes, losses - 1, clockSteps, splits, merges);
        }

        Faults lessClockSteps() {
            return new Faults(attaches, duplicates, crashes, losses, clockSteps - 1, splits, merges);
        }

        Faults lessSplits() {
            return new Faults(attaches, duplicates, crashes, losses, clockSteps, splits - 1, merges);
        }

        Faults lessMerges() {
            return new Faults(attaches, duplicates, crashes, losses, clockSteps, splits, merges - 1);
        }
    }

    /**
     * What the two sides of a split network may do.
     *
     * @param isProtected whether they go by a quorum at all
     * @param freshness how long after the split the old owner, which has lost the quorum and its backup, goes on; if
     *     not at all, it waits for the backup or another quorum
     * @param attachPause how long after its promotion the new owner attaches nobody
     * @param floor how far behind its promotion the first ID time lies that the new owner grants anew
     * @param extendAhead how far behind its promotion a ceiling must lie for the new owner to raise it
     */
    record SplitRule(boolean isProtected, int freshness, int attachPause, int floor, int extendAhead) {
        static final int NO_LIMIT = -1_000;
    }

    TableRules rules() {
        return new TableRules(lease, skew, lease + 2L * skew, 0, nodeIds - 1);
    }
}
