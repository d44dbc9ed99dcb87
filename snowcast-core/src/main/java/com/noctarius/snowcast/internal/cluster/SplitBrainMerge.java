// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.logging.ILogger;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.wire.Found;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Unites what this member owned on the losing side of a split network with the cluster that it has joined. */
final class SplitBrainMerge {
    private final MemberCoordinator sequencers;
    private final MemberCounters counters;
    private final ILogger logger;
    private final List<PossibleDuplicates> ids = new ArrayList<>();
    private final List<PossibleDuplicateIntegers> integers = new ArrayList<>();
    private boolean isComplete = true;

    SplitBrainMerge(MemberCoordinator sequencers, MemberCounters counters, ILogger logger) {
        this.sequencers = sequencers;
        this.counters = counters;
        this.logger = logger;
    }

    /**
     * Merges partitions; blocks.
     *
     * @return whether the cluster has heard of everything
     */
    boolean merge(Collection<ContainerSnapshot> owned) {
        for (ContainerSnapshot partition : owned) {
            if (!partition.tables().isEmpty()) {
                attempt(
                        "granted, of " + partition.tables().size() + " sequencers",
                        () -> ids.addAll(sequencers.merge(partition.tables())));
            }
            if (!partition.counters().counters().isEmpty()) {
                attempt(
                        "handed out, of " + partition.counters().counters().size() + " integer sequences",
                        () -> integers.addAll(
                                counters.merge(partition.counters().counters())));
            }
        }
        if (!ids.isEmpty() || !integers.isEmpty()) {
            logger.warning("The network was split and both sides issued IDs; these may exist twice: " + ids + integers);
            sequencers.tellEverywhere(new Found(ids, integers));
        }
        return isComplete;
    }

    private void attempt(String what, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException e) {
            isComplete = false;
            logger.warning("Could not tell the cluster what the other side of the split " + what, e);
        }
    }
}
