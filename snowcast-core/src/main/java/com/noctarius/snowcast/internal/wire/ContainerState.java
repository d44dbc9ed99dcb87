// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import java.io.IOException;

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
 * a whole. A copy begins {@link Cold} and joins the owner's state. No container becomes complete later: the moment of
 * {@link Recovering} passes by itself.
 */
public sealed interface ContainerState {
    /** It is not known yet what the cluster granted before it was started: nothing is granted. */
    record Cold() implements ContainerState {}

    /** They were never used. */
    record Complete() implements ContainerState {}

    /**
     * They may have had holders, whose leases end before a moment.
     *
     * @param untilMillis in cluster time; no name that is new here is granted before it, nor below it in ID time
     */
    record Recovering(long untilMillis) implements ContainerState {}

    /** Writes the moment; 0 for a complete and the highest number for a cold container. */
    Form<ContainerState> FORM =
            new Form<>((out, state) -> out.writeLong(state.nothingBeforeMillis()), in -> of(in.value(Form.NUMBER)));

    private static ContainerState of(long number) throws IOException {
        if (number < 0) {
            throw new IOException("no state of a container: " + number);
        }
        return number == 0 ? new Complete() : number == Long.MAX_VALUE ? new Cold() : new Recovering(number);
    }

    /** Returns before which cluster time nothing is granted of a name that is new here: at no time if it is cold. */
    default long nothingBeforeMillis() {
        return this instanceof Cold ? Long.MAX_VALUE : recoveringUntilMillis();
    }

    /** Returns the moment of {@link Recovering}; else 0. */
    default long recoveringUntilMillis() {
        return this instanceof Recovering recovering ? recovering.untilMillis : 0;
    }

    /** Returns what a copy knows that has this state and hears of another one: the longest wait that anybody knows. */
    default ContainerState joined(ContainerState other) {
        if (this instanceof Cold || other.recoveringUntilMillis() > recoveringUntilMillis()) {
            return other;
        }
        return this;
    }
}
