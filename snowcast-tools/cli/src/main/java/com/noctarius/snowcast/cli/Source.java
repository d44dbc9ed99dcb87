// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.status.ClusterStatus;
import java.util.Optional;

/** A source of node IDs: a cluster or a database. */
interface Source extends AutoCloseable {
    /** Returns what messages call this source: {@code the cluster} or {@code the database}. */
    String called();

    Snowcast snowcast();

    ClusterStatus status();

    /** Disconnects and releases the node IDs. */
    @Override
    void close();

    private Optional<ClusterStatus.Sequencer> find(String name, boolean isNodeLease) {
        return status().sequencers().stream()
                .filter(each -> each.name().equals(name) && each.isNodeLease() == isNodeLease)
                .findFirst();
    }

    /** Returns the definition of an existing node lease; empty if there is no node lease of the name. */
    default Optional<NodeLeaseConfig> nodeLease(String name) {
        return find(name, true)
                .map(each -> NodeLeaseConfig.builder(name)
                        .maxNodeCount(each.maxNodeCount())
                        .backupCount(each.backupCount())
                        .build());
    }

    /**
     * Returns the definition of an existing sequencer; throws if there is no sequencer of the name, which may be
     * mistyped.
     */
    default SequencerConfig requireSequencer(String name) {
        ClusterStatus.Sequencer found = find(name, false)
                .orElseThrow(() -> new WrongUseException(called() + " has no sequencer " + name + ", only "
                        + status().sequencers().stream()
                                .map(ClusterStatus.Sequencer::name)
                                .toList()));
        SequencerConfig.Builder config = SequencerConfig.builder(name)
                .epoch(found.epoch())
                .layout(found.layout())
                .backupCount(found.backupCount());
        Long above = found.startAbove();
        return (above == null ? config : config.startAbove(above)).build();
    }
}
