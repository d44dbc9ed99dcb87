// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.internal.generator.Guard;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.TableRules;

/**
 * The limits of a search.
 *
 * @param nodeIds the number of node IDs
 * @param ticks the number of time steps
 * @param lease the lease, in ticks
 * @param skew the maximum clock skew in the rules of the table, in ticks
 * @param messages the maximum number of pending messages
 * @param clocks the maximum deviation of a clock from the true time, either way, in ticks
 * @param faults the number of each kind of fault
 * @param isProtected whether a side of a split needs a quorum: a former owner that is cut off from its backup answers
 *     nothing
 * @param lag how far the cached time of a holder may be behind its clock, in ticks
 * @param isSuccessor whether the sequencer follows another generator, which has issued all IDs up to the initial time
 * @param isGuarded whether the name is a node lease, and a guard checks the IDs of another generator
 * @param backups the number of members with a copy of the table besides the owner
 */
record Scope(
        int nodeIds,
        int ticks,
        int lease,
        int skew,
        int messages,
        int clocks,
        Faults faults,
        boolean isProtected,
        int lag,
        boolean isSuccessor,
        boolean isGuarded,
        int backups) {
    Scope(int nodeIds, int ticks, int lease, int skew, int messages, int clocks, Faults faults, boolean isProtected) {
        this(nodeIds, ticks, lease, skew, messages, clocks, faults, isProtected, 0, false, false, 1);
    }

    /** Returns this scope with holders whose cached time may lag by a tick. */
    Scope ticked() {
        return new Scope(
                nodeIds, ticks, lease, skew, messages, clocks, faults, isProtected, 1, isSuccessor, isGuarded, backups);
    }

    /** Returns this scope with a sequencer that follows another generator. */
    Scope successor() {
        return new Scope(
                nodeIds, ticks, lease, skew, messages, clocks, faults, isProtected, lag, true, isGuarded, backups);
    }

    Scope guarded() {
        return new Scope(
                nodeIds, ticks, lease, skew, messages, clocks, faults, isProtected, lag, isSuccessor, true, backups);
    }

    Scope twoBackups() {
        return new Scope(
                nodeIds, ticks, lease, skew, messages, clocks, faults, isProtected, lag, isSuccessor, isGuarded, 2);
    }

    Definition definition() {
        if (isGuarded) {
            return new Definition(0, Guard.LAYOUT, backups, null, 2);
        }
        return new Definition(0, Holder.LAYOUT, backups, isSuccessor ? Holder.LAYOUT.compose(State.START, 1, 0) : null);
    }

    /**
     * How often each kind of event may happen.
     *
     * @param attaches requests for a grant, by all holders
     * @param duplicates messages that arrive twice
     * @param crashes crashed members
     * @param losses losses of all replicas at once
     * @param clockSteps steps of a clock by one tick
     * @param splits splits between owner and backup
     * @param merges merges after a split; a split in which no side needs a quorum must have one
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

        /**
         * Returns whether a backup may become the owner. If not, the model leaves backups out, because they have no
         * effect.
         */
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

    TableRules rules() {
        return new TableRules(lease, skew, lease + 2L * skew, 0, nodeIds - 1);
    }
}
