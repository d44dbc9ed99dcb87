// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.SteadyClock;
import com.noctarius.snowcast.internal.metrics.Log;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.Token;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** A coordinator without a cluster: one node ID, granted from the beginning to the end of time. */
public final class FixedNode implements Coordinator {
    /** How far the generator before may have been ahead of this clock. */
    private static final long MAX_AHEAD_MILLIS = 1_000;

    private final int logicalNodeId;

    private FixedNode(int logicalNodeId) {
        this.logicalNodeId = logicalNodeId;
    }

    /** Makes a sequencer that always has the given node ID. */
    public static SnowcastSequencer sequencer(SequencerConfig config, int logicalNodeId, Clock clock) {
        Objects.requireNonNull(config, "config");
        int count = config.layout().logicalNodeCount();
        if (logicalNodeId < 0 || logicalNodeId >= count) {
            throw new IllegalArgumentException("sequencer " + config.name() + ": logicalNodeId must be 0 to "
                    + (count - 1) + ": " + logicalNodeId);
        }
        Definition definition = Definition.of(config, 0);
        definition.requireTime(config.name(), clock.millis());
        Log log = (level, message, cause) -> {}; // The logical node is what the caller says, for ever.
        GrantRequests requests =
                new GrantRequests(config, definition, new FixedNode(logicalNodeId), clock, new SteadyClock(clock));
        return new Sequencer(requests, log, Leases.NONE).attachLogicalNode();
    }

    @Override
    public Grant attach(AttachRequest request) {
        Definition definition = request.definition();
        long floor = definition.firstIdTime(request.name(), request.holderNowMillis(), MAX_AHEAD_MILLIS);
        long endOfTime = definition.layout().maxTimestamp() + 1;
        Token token = new Token(0, request.requestNumber(), request.holder());
        return new Grant(1, logicalNodeId, token, floor, endOfTime, endOfTime);
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        // The next attachment of the sequencer starts above the last ID by itself.
    }

    @Override
    public CompletionStage<List<ExtendReply>> extend(int partitionId, List<ExtendRequest> requests) {
        throw new IllegalStateException("an endless grant is never extended");
    }

    @Override
    public void destroy(String name, long incarnation) {
        throw new IllegalStateException("a sequencer without a cluster is not destroyed");
    }

    @Override
    public int partitionOf(String name) {
        return 0;
    }
}
