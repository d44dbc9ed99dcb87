// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * What a member knows of the names that its container of a partition does not have.
 *
 * <pre>
 *   Cold ──── the cluster's beginning is known ───► Recovering
 *                                                       ▲
 *   Complete ──── data was lost ────────────────────────┘
 * </pre>
 *
 * <p>A container of a new cluster begins {@link Complete}, or {@link Cold} if it may be a cluster that was started again as
 * a whole. A copy begins {@link Cold} and joins the owner's state. No container that was another becomes complete later: the moment of {@link Recovering} passes by
 * itself.
 */
public sealed interface ContainerState {
    /** It is not known yet what the cluster granted before it was started: nothing is granted. */
    record Cold() implements ContainerState {}

    /** They were never used. */
    record Complete() implements ContainerState {}

    /**
     * They may have been used.
     *
     * @param untilMillis when the leases of their holders end, in cluster time; no sequencer that is new here grants anything
     *     before it, nor below it in ID time
     * @param lostSinceMillis when data was lost, in cluster time; no integer sequence begins before an operator has decided.
     *     0 after a start of the whole cluster
     */
    record Recovering(long untilMillis, long lostSinceMillis) implements ContainerState {}

    /** Returns the state that two numbers say. */
    static ContainerState of(long nothingBeforeMillis, long lostSinceMillis) {
        if (nothingBeforeMillis == Long.MAX_VALUE) {
            return new Cold();
        }
        return nothingBeforeMillis == 0 && lostSinceMillis == 0
                ? new Complete()
                : new Recovering(nothingBeforeMillis, lostSinceMillis);
    }

    /** Returns before which cluster time nothing is granted of a name that is new here: at no time if it is cold. */
    default long nothingBeforeMillis() {
        return this instanceof Cold ? Long.MAX_VALUE : recoveringUntilMillis();
    }

    /** Returns the moment of {@link Recovering}; else 0. */
    default long recoveringUntilMillis() {
        return this instanceof Recovering recovering ? recovering.untilMillis : 0;
    }

    /** Returns when data was lost; 0 if none was. */
    default long lostSinceMillis() {
        return this instanceof Recovering recovering ? recovering.lostSinceMillis : 0;
    }

    /** Returns what a copy knows that has this state and is sent another one: that of the longer wait; Cold gives way to any other. */
    default ContainerState joined(ContainerState other) {
        if (this instanceof Cold || other instanceof Cold) {
            return this instanceof Cold ? other : this;
        }
        return of(
                Math.max(recoveringUntilMillis(), other.recoveringUntilMillis()),
                Math.max(lostSinceMillis(), other.lostSinceMillis()));
    }
}
