// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import com.hazelcast.test.SplitBrainTestSupport;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.clock.SystemClock;
import com.noctarius.snowcast.internal.cluster.ClusterTime;
import com.noctarius.snowcast.internal.cluster.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A schedule at work: steps that change who is there run one after the other beside those that do not, and generators
 * run beside all of them.
 */
final class FaultRun implements AutoCloseable {
    private static final int THREADS_PER_SEQUENCER = 2;
    private static final int MORE_IDS = 50;
    private static final long CALL_TIMEOUT_MILLIS = 8_000;
    private static final long SKEW_MILLIS = 1_000;
    private static final long STEP_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    /** The longest are three calls in a row (a destruction), and a wait for the lease that may be begun twice (a batch). */
    private static final Duration LONGEST = Duration.ofMillis(3 * CALL_TIMEOUT_MILLIS + 2_000);

    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            Map.entry("snowcast.lease.millis", "1500"),
            Map.entry("snowcast.max.clock.skew.millis", Long.toString(SKEW_MILLIS)),
            Map.entry("hazelcast.operation.call.timeout.millis", Long.toString(CALL_TIMEOUT_MILLIS)),
            // Shorter, and a busy machine splits the cluster. A table that was lost waits for it, too.
            Map.entry("hazelcast.max.no.heartbeat.seconds", "12"),
            // What a cut takes from a migration stops it for so long.
            Map.entry("hazelcast.partition.migration.timeout", "10"));

    private final long seed;
    private final FaultProfile profile;
    private final MockCluster cluster = MockCluster.of(0, SplitNetwork.properties(PROPERTIES));
    private final Map<Integer, Participant> participants = new ConcurrentHashMap<>();
    private final List<SharedSequencer> sequencers = IntStream.range(0, FaultSchedule.SEQUENCERS)
            .mapToObj(i -> new SharedSequencer(TestCluster.newName()))
            .toList();
    private final IdLedger ledger = new IdLedger();
    private final Durations durations = new Durations();
    private final List<FaultGenerator> generators = new CopyOnWriteArrayList<>();
    private final List<Threads> threads = new CopyOnWriteArrayList<>();
    private final ExecutorService topology =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "fault-topology"));
    private final List<String> done = new ArrayList<>();
    private @Nullable Future<?> topologyStep;

    private FaultRun(long seed) {
        this.seed = seed;
        this.profile = FaultProfile.of(seed);
    }

    /** Runs the first steps of a seed's schedule and checks what came of them; returns what to tell. */
    static String of(long seed, int steps) {
        try (FaultRun run = new FaultRun(seed)) {
            try {
                for (int i = 0; i < FaultSchedule.firstMembers(run.profile); i++) {
                    run.join(i);
                }
                for (FaultStep step : FaultSchedule.steps(seed, steps)) {
                    run.perform(step);
                }
                run.end();
                return run.summary();
            } catch (RuntimeException | Error | InterruptedException e) {
                throw new AssertionError(
                        e.getMessage() + "\nrepeat with -Dsnowcast.seed=" + run.summary() + "\n"
                                + String.join("\n", run.done),
                        e);
            }
        }
    }

    private String summary() {
        return seed + " (" + profile + "): " + done.size() + " steps, " + ledger.size() + " IDs, longest calls "
                + durations;
    }

    // --- steps

    private void perform(FaultStep step) throws InterruptedException {
        if (step.kind().isOfTopology()) {
            awaitTopology();
            done.add(step.toString());
            topologyStep = topology.submit(() -> {
                change(step);
                return null;
            });
        } else {
            done.add(step.toString());
            use(step);
        }
        LockSupport.parkNanos(STEP_PAUSE_NANOS);
    }

    private void awaitTopology() throws InterruptedException {
        Future<?> step = topologyStep;
        try {
            if (step != null) {
                step.get(60, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("a step failed: " + e, e);
        }
    }

    private void change(FaultStep step) throws InterruptedException {
        switch (step.kind()) {
            case JOIN -> join(step.who());
            case LEAVE -> cluster.leave(leaving(step.who()));
            case CRASH -> {
                cluster.awaitSafe();
                cluster.crash(leaving(step.who()));
            }
            case CRASH_TWO -> {
                List<HazelcastInstance> both = List.of(leaving(step.who()), leaving((int) step.amount()));
                Threads.run(2, index -> cluster.crash(both.get(index)));
            }
            case JOIN_CLIENT -> joinAsClient(step.who());
            case LEAVE_CLIENT -> leaving(step.who()).shutdown();
            case LOSE_CLIENT -> lose(leaving(step.who()));
            case CUT -> cut(participant(step.who()), Duration.ofMillis(step.amount()));
            case SPLIT -> split(participant(step.who()).instance(), Duration.ofMillis(step.amount()));
            default -> throw new AssertionError(step);
        }
        cluster.awaitSize();
    }

    private void use(FaultStep step) throws InterruptedException {
        switch (step.kind()) {
            case SET_CLOCK -> awaited(step.who()).clock().setOffset(step.amount());
            case SET_CLUSTER_CLOCK -> setClusterClock(step.amount());
            case DETACH_AND_ATTACH -> detachAndAttach(awaited(step.who()), sequencers.get(step.sequencer()));
            case RECREATE ->
                durations.measure(
                        "destroy",
                        () -> tolerating(() -> sequencers
                                .get(step.sequencer())
                                .destroy(awaited(step.who()), SharedSequencer.LAYOUTS.get((int) step.amount()))));
            case REST -> rest();
            default -> throw new AssertionError(step);
        }
    }

    /** Returns a participant, which may be about to join. */
    private Participant awaited(int number) throws InterruptedException {
        if (!participants.containsKey(number)) {
            awaitTopology();
        }
        return participant(number);
    }

    private Participant participant(int number) {
        return Objects.requireNonNull(participants.get(number), () -> "participant " + number);
    }

    private HazelcastInstance leaving(int number) {
        return Objects.requireNonNull(participants.remove(number)).instance();
    }

    private void join(int number) {
        OffsetClock clock = new OffsetClock(0);
        HazelcastInstance member = cluster.addMember(config -> {
            config.getUserContext().put(SystemClock.REPLACEMENT_KEY, clock);
            if (profile == FaultProfile.SPLITS) {
                SplitNetwork.protect(config, FaultProfile.QUORUM);
            }
        });
        add(new Participant(number, true, member, clock));
    }

    private void joinAsClient(int number) {
        OffsetClock clock = new OffsetClock(0);
        HazelcastInstance client = cluster.addClient(
                config -> config.setUserContext(new ConcurrentHashMap<>(Map.of(SystemClock.REPLACEMENT_KEY, clock))));
        add(new Participant(number, false, client, clock));
    }

    private void add(Participant participant) {
        participants.put(participant.number(), participant);
        List<FaultGenerator> own = sequencers.stream()
                .flatMap(shared -> IntStream.range(0, THREADS_PER_SEQUENCER)
                        .mapToObj(i -> new FaultGenerator(participant, shared, ledger, durations)))
                .toList();
        generators.addAll(own);
        threads.add(Threads.start(own.size(), index -> own.get(index).run()));
    }

    private void lose(HazelcastInstance client) {
        ClientNetwork network = ClientNetwork.cut(client, cluster.members());
        client.getLifecycleService().terminate();
        network.restore();
    }

    private void cut(Participant participant, Duration time) {
        List<HazelcastInstance> others = cluster.members().stream()
                .filter(member -> member != participant.instance())
                .toList();
        if (participant.isMember()) {
            others.forEach(other -> SplitBrainTestSupport.blockCommunicationBetween(participant.instance(), other));
            LockSupport.parkNanos(time.toNanos());
            others.forEach(other -> SplitBrainTestSupport.unblockCommunicationBetween(participant.instance(), other));
        } else {
            ClientNetwork network = ClientNetwork.cut(participant.instance(), others);
            LockSupport.parkNanos(time.toNanos());
            network.restore();
        }
    }

    private void split(HazelcastInstance member, Duration time) {
        List<HazelcastInstance> others =
                cluster.members().stream().filter(each -> each != member).toList();
        SplitNetwork network = SplitNetwork.cut(List.of(member), others).noticed();
        LockSupport.parkNanos(time.toNanos());
        network.heal().awaitMerge();
    }

    private void setClusterClock(long offsetMillis) {
        cluster.members().forEach(member -> ClusterTime.setOffset(member, offsetMillis));
    }

    private void detachAndAttach(Participant participant, SharedSequencer shared) throws InterruptedException {
        tolerating(() -> {
            SnowcastSequencer sequencer = shared.of(participant);
            durations.measure("detach", () -> tolerating(sequencer::detachLogicalNode));
            durations.measure("attach", sequencer::attachLogicalNode);
        });
    }

    /** What the faults of a schedule make fail is done again by the next step, or when all have come to rest. */
    private static void tolerating(Durations.Operation operation) throws InterruptedException {
        try {
            operation.run();
        } catch (SnowcastException | HazelcastInstanceNotActiveException | SplitBrainProtectionException e) {
            // The participant was leaving, the cluster was recovering, a clock was off.
        }
    }

    /** Waits until everybody whose clock allows it has generated more. */
    private void rest() throws InterruptedException {
        awaitTopology();
        attachAll();
        Map<FaultGenerator, Long> goals = new HashMap<>();
        for (FaultGenerator generator : generators) {
            long off = Math.abs(generator.participant().clock().offsetMillis());
            if (off <= SKEW_MILLIS / 2 && participants.containsValue(generator.participant())) {
                goals.put(generator, generator.generated() + MORE_IDS);
            }
        }
        goals.forEach((generator, goal) -> {
            try {
                Await.until(
                        "IDs of " + generator,
                        () -> generator.generated() >= goal || threads.stream().anyMatch(Threads::hasFailed));
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + "; now " + generator, e);
            }
        });
    }

    /** What an earlier step detached and could not attach again. */
    private void attachAll() throws InterruptedException {
        for (Participant participant : participants.values()) {
            for (SharedSequencer shared : sequencers) {
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                while (System.nanoTime() - deadline < 0 && isDetached(participant, shared)) {
                    tolerating(() -> shared.of(participant).attachLogicalNode());
                    LockSupport.parkNanos(STEP_PAUSE_NANOS);
                }
            }
        }
    }

    private static boolean isDetached(Participant participant, SharedSequencer shared) throws InterruptedException {
        SnowcastSequenceState[] state = {SnowcastSequenceState.Destroyed};
        tolerating(() -> state[0] = shared.of(participant).getSequencerState());
        return state[0] == SnowcastSequenceState.Detached
                && Math.abs(participant.clock().offsetMillis()) <= SKEW_MILLIS / 2;
    }

    // --- the end

    private void end() throws InterruptedException {
        done.add("the end");
        awaitTopology();
        participants.values().forEach(participant -> participant.clock().setOffset(0));
        setClusterClock(0);
        rest();
        generators.forEach(FaultGenerator::stop);
        threads.forEach(Threads::join);
        ledger.check();
        detachAll();
        cluster.awaitSafe();
        Replicas.requireEqual(cluster.members());
        for (SharedSequencer shared : sequencers) {
            NodeIdCheck.requireAllFree(cluster.member(0), shared.config(), Duration.ofSeconds(30));
        }
        durations.requireAtMost(LONGEST);
    }

    private void detachAll() throws InterruptedException {
        for (Participant participant : participants.values()) {
            for (SharedSequencer shared : sequencers) {
                SnowcastSequencer sequencer = shared.of(participant);
                if (sequencer.getSequencerState() == SnowcastSequenceState.Attached) {
                    sequencer.detachLogicalNode();
                }
            }
        }
    }

    @Override
    public void close() {
        generators.forEach(FaultGenerator::stop);
        topology.shutdownNow();
        cluster.close();
    }
}
