// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Collects the status of this process, without a call to the cluster or the database. */
@Component
final class StatusReader {
    private final Neighbours neighbours;
    private final Configured configured;

    StatusReader(Neighbours neighbours, Configured configured) {
        this.neighbours = neighbours;
        this.configured = configured;
    }

    Status read(@Nullable ClusterState cluster, @Nullable String problem, @Nullable Instant unansweredSince) {
        return new Status(
                Instant.now(),
                neighbours.server(),
                neighbours.members(),
                neighbours.clients(),
                configured.sequencers().stream().map(StatusReader::sequencer).toList(),
                configured.sequences().stream().map(StatusReader::sequence).toList(),
                cluster,
                problem,
                unansweredSince);
    }

    private static Status.Sequencer sequencer(SnowcastSequencer sequencer) {
        SnowcastSequencer.Stats stats = sequencer.stats();
        return new Status.Sequencer(
                sequencer.name(),
                stats.state().name(),
                stats.logicalNodeId().isPresent() ? stats.logicalNodeId().getAsInt() : null,
                stats.lease().toMillis(),
                stats.issuedCount(),
                stats.problem().isEmpty() ? null : stats.problem());
    }

    private static Status.Sequence sequence(IntegerSequence sequence) {
        IntegerSequence.Stats stats = sequence.stats();
        return new Status.Sequence(
                sequence.name(),
                stats.issuedCount(),
                stats.remaining(),
                stats.blockSize(),
                stats.reservationCount(),
                stats.problem().isEmpty() ? null : stats.problem());
    }
}
