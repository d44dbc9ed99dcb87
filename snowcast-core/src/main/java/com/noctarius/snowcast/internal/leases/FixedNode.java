// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.ClockSteps;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.SteadyClock;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The source of a standalone sequencer: grants the configured node ID forever. Limits the times of IDs to
 * {@link #BOUND_MILLIS} ahead of a {@link SteadyClock}.
 */
public final class FixedNode implements GrantRequests.Source, GrantHolder.Keeper {
    /** How far a wrong wall clock can move IDs ahead before the {@link SteadyClock} follows it. */
    static final long BOUND_MILLIS = 10_000;

    /** How far IDs may advance before the {@link SteadyClock} is read, which notices steps only by frequent reads. */
    private static final long LOOK_MILLIS = 1_000;

    /** How far the time of {@code startAbove}, the last ID of a replaced generator, may be ahead of the clock. */
    private static final long MAX_AHEAD_MILLIS = 1_000;

    private static final System.Logger LOGGER = System.getLogger(SnowcastSequencer.class.getName());
    static final Log LOG = (level, message, cause) -> LOGGER.log(System.Logger.Level.WARNING, message, cause);

    /**
     * All standalone sequencers of this process. Never removed: two sequencers of one identity would issue equal IDs.
     */
    private static final Map<Identity, Sequencer> SHARED = new ConcurrentHashMap<>();

    /** The name, and the settings on which the bits of an ID depend. */
    private record Identity(String name, long epochOffset, SnowcastLayout layout, int logicalNodeId) {}

    private final SequencerConfig config;
    private final int logicalNodeId;
    private final Log log;
    private final SteadyClock time;
    private final ClockSteps steps;

    private FixedNode(SequencerConfig config, int logicalNodeId, Clock clock, Log log) {
        this.config = config;
        this.logicalNodeId = logicalNodeId;
        this.log = log;
        this.time = new SteadyClock(clock);
        this.steps = new ClockSteps(clock);
    }

    /** Returns this process's only sequencer with this node ID, name, epoch and layout; the first call makes it. */
    public static SnowcastSequencer shared(SequencerConfig config, int logicalNodeId, Clock clock) {
        Definition wanted = Definition.of(Objects.requireNonNull(config, "config"), 0);
        Identity identity = new Identity(config.name(), wanted.epochOffset(), config.layout(), logicalNodeId);
        Sequencer shared = SHARED.computeIfAbsent(identity, unused -> sequencer(config, logicalNodeId, clock, LOG));
        Definition present = shared.requests.definition;
        if (!wanted.equals(present)) {
            throw new SnowcastSequencerAlreadyRegisteredException("sequencer " + config.name() + ": node "
                    + logicalNodeId + " of this process was created with startAbove="
                    + present.startAbove() + ", so it cannot be created with startAbove="
                    + wanted.startAbove() + ": use the same, or another name");
        }
        return shared;
    }

    /** Makes a sequencer that always has the given node ID. It logs steps and wrong reads of the wall clock. */
    static Sequencer sequencer(SequencerConfig config, int logicalNodeId, Clock clock, Log log) {
        int count = config.layout().logicalNodeCount();
        if (logicalNodeId < 0 || logicalNodeId >= count) {
            throw new IllegalArgumentException("sequencer " + config.name() + ": logicalNodeId must be 0 to "
                    + (count - 1) + ": " + logicalNodeId);
        }
        Definition definition = Definition.of(config, 0);
        FixedNode node = new FixedNode(config, logicalNodeId, clock, log);
        GrantRequests requests = new GrantRequests(config.name(), definition, config.lease(), node, clock, node.time);
        Log silent = (level, message, cause) -> {}; // Do not log the attach: the node ID never changes.
        Sequencer made = new Sequencer(config, requests, silent, node);
        made.attach();
        return made;
    }

    @Override
    public Grant attach(AttachRequest request) {
        Definition definition = request.definition();
        long usedMillis = definition.epochOffset() + request.lastIdTime();
        long floor = definition.firstIdTime(
                request.name(), Math.max(request.holderNowMillis(), usedMillis), MAX_AHEAD_MILLIS);
        long endOfTime = definition.layout().maxTimestamp() + 1;
        Token token = new Token(0, request.requestNumber(), request.holder());
        long ceiling = Math.max(floor + 1, standaloneCeiling(definition.idTime(request.holderNowMillis())));
        return new Grant(1, logicalNodeId, token, floor, Math.min(ceiling, endOfTime), endOfTime);
    }

    @Override
    public void request(GrantInUse grant) {
        long stepMillis = time.stepMillis();
        grant.renewalFailed(
                stepMillis == 0
                        ? "IDs are " + BOUND_MILLIS + " ms ahead of the clock already"
                        : "the wall clock stepped by " + stepMillis + " ms, and IDs follow when it has shown that for "
                                + SteadyClock.CONFIRMATION_SECONDS + " seconds");
    }

    @Override
    public long standaloneCeiling(long millis) {
        long limit = time.millis() + BOUND_MILLIS - config.epoch().getEpochOffset();
        return Math.min(limit, millis + LOOK_MILLIS);
    }

    @Override
    public boolean isEndless() {
        return true;
    }

    @Override
    public void clockWasRead(long firstMillis, long againMillis) {
        time.millis(); // The steady clock notices a step only if it is read.
        long step = steps.readClocksIfOff(firstMillis, againMillis, this::warn);
        if (step != 0) {
            warn("The wall clock stepped by " + step + " ms; IDs stay in order, and follow by more than "
                    + BOUND_MILLIS + " ms when it has shown that for " + SteadyClock.CONFIRMATION_SECONDS
                    + " seconds");
        }
    }

    private void warn(String message) {
        log.warning("Sequencer " + config.name() + ": " + message, null);
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        // The node ID stays with this sequencer, which starts above its last ID when it attaches again.
    }
}
