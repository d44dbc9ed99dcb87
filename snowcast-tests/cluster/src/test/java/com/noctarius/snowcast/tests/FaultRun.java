// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.test.SplitBrainTestSupport;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.ClusterTime;
import com.noctarius.snowcast.internal.cluster.Replicas;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a random schedule of faults against a cluster, and checks the IDs. Steps that change the topology (the
 * participants or their connections) run one after the other. The generators and most of the other steps run in
 * parallel with them.
 */
final class FaultRun implements AutoCloseable {
    private static final int THREADS_PER_SEQUENCER = 2;
    private static final int MORE = 50;
    private static final long CALL_TIMEOUT_MILLIS = 8_000;
    private static final long SKEW_MILLIS = 1_000;
    /** The error of a wrong clock reading: 2^32 milliseconds (49.7 days), which occurred in production. */
    private static final long MISREAD_MILLIS = 1L << 32;

    private static final long STEP_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    /**
     * The time limit of an operation. The longest one is a destruction: three calls in a row, plus 2 seconds for
     * everything else. The limit is twice as long, for a busy machine.
     */
    private static final Duration LONGEST = Duration.ofMillis(2 * (3 * CALL_TIMEOUT_MILLIS + 2_000));

    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            Map.entry("snowcast.lease.millis", "1500"),
            Map.entry("snowcast.max.clock.skew.millis", Long.toString(SKEW_MILLIS)),
            Map.entry("hazelcast.operation.call.timeout.millis", Long.toString(CALL_TIMEOUT_MILLIS)),
            // With a shorter time-out, members on a busy machine remove each other. A longer one would delay the
            // recovery of lost tables, which waits for this time-out.
            Map.entry("hazelcast.max.no.heartbeat.seconds", "12"),
            // If a cut of the network drops a message of a migration, Hazelcast repeats the migration after this many
            // seconds.
            Map.entry("hazelcast.partition.migration.timeout", "10"));

    private final long seed;
    private final FaultProfile profile;
    private final MockCluster cluster = MockCluster.of(0, SplitNetwork.properties(PROPERTIES));
    private final List<Participant> participants = new CopyOnWriteArrayList<>();
    private final AtomicInteger joined = new AtomicInteger();
    private final List<SharedSequencer> sequencers;
    private final Ledger ledger = cluster.ledger();
    private final Set<PossibleDuplicates> reported = ConcurrentHashMap.newKeySet();
    private final Map<FaultStep.Kind, Integer> faults = new EnumMap<>(FaultStep.Kind.class);
    private final Optional<Path> highWaterMarks;
    private final Durations durations = new Durations();
    private final List<IdGenerator> generators = new CopyOnWriteArrayList<>();
    private final List<Threads> threads = new CopyOnWriteArrayList<>();
    private final ExecutorService topology =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "fault-topology"));
    private final List<String> done = new CopyOnWriteArrayList<>();
    /**
     * Whether at least half of the members ever had wrong clocks at the same time. Cluster time may then stay wrong for
     * long.
     */
    private volatile boolean isClusterTimeWrong;

    private int steps;
    private @Nullable Future<?> topologyStep;

    private FaultRun(long seed, Path directory) {
        this.seed = seed;
        this.profile = FaultProfile.of(seed);
        this.highWaterMarks = profile == FaultProfile.RESTARTS ? Optional.of(directory) : Optional.empty();
        if (profile == FaultProfile.MERGES) {
            ledger.allow(reported);
        }
        this.sequencers = IntStream.range(0, FaultProfile.SEQUENCERS)
                .mapToObj(i -> new SharedSequencer(TestCluster.newName(), profile.backupCount(i)))
                .toList();
    }

    /**
     * Runs the first {@code steps} steps of the schedule that a seed determines, and checks the result. Returns a
     * summary.
     *
     * @param directory an empty directory for high-water marks
     */
    static String of(long seed, int steps, Path directory) {
        try (FaultRun run = new FaultRun(seed, directory)) {
            try {
                for (int i = 0; i < FaultSchedule.firstMembers(run.profile); i++) {
                    run.join();
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
        return seed + " (" + profile + "): " + steps + " steps, " + ledger + ", faults " + faults + ", longest calls "
                + durations;
    }

    // --- steps

    private void perform(FaultStep step) throws InterruptedException {
        steps++;
        faults.merge(step.kind(), 1, Integer::sum);
        if (step.kind().isOfTopology()) {
            awaitTopology();
            done.add(step.toString());
            topologyStep = topology.submit(() -> {
                change(step);
                return null;
            });
            if (step.kind() == FaultStep.Kind.RESTART) {
                awaitTopology(); // Other steps need a participant, and there may be none until the restart is complete.
            }
        } else {
            done.add(step.toString());
            use(step);
        }
        noteClocks();
        LockSupport.parkNanos(STEP_PAUSE_NANOS);
    }

    private void noteClocks() {
        List<Participant> members =
                participants.stream().filter(Participant::isMember).toList();
        long wrong = members.stream()
                .filter(member -> Math.abs(member.clock().offsetMillis()) > SKEW_MILLIS / 2)
                .count();
        isClusterTimeWrong |= wrong > 0 && 2 * wrong >= members.size();
    }

    private void awaitTopology() throws InterruptedException {
        Future<?> step = topologyStep;
        try {
            if (step != null) {
                step.get(5, TimeUnit.MINUTES);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("a step failed: " + e, e);
        }
    }

    private void change(FaultStep step) throws InterruptedException {
        switch (step.kind()) {
            case JOIN -> join();
            case LEAVE -> cluster.leave(leaving(choice(members(), step)));
            case CRASH -> {
                cluster.awaitSafe();
                cluster.crash(leaving(choice(members(), step)));
            }
            case CRASH_TWO -> {
                cluster.awaitSafe();
                crashReplicas(sequencer(step).name(), 1);
            }
            case RESTART -> restart(step.amount() == 0);
            case LOSE_TABLE ->
                loseReplicas(sequencer(step).name(), sequencer(step).backupCount());
            case JOIN_CLIENT -> joinAsClient();
            case LEAVE_CLIENT -> leaving(choice(clients(), step)).shutdown();
            case LOSE_CLIENT -> lose(leaving(choice(clients(), step)));
            case CUT -> cut(choice(present(), step), Duration.ofMillis(step.amount()));
            case SPLIT -> split(choice(members(), step), step);
            default -> throw new AssertionError(step);
        }
        cluster.awaitSize();
    }

    private void use(FaultStep step) throws InterruptedException {
        switch (step.kind()) {
            case SET_CLOCK -> {
                OffsetClock clock = choice(present(), step).clock();
                clock.misreadOnce(step.amount() < 0 ? -MISREAD_MILLIS : MISREAD_MILLIS);
                clock.setOffset(step.amount());
            }
            case SET_CLUSTER_CLOCK -> setClusterClock(step.amount());
            case DETACH_AND_ATTACH -> {
                SharedSequencer shared = sequencer(step);
                List<Participant> all = present();
                Participant one = all.get(step.who() % all.size());
                Participant other = all.get((step.who() + 1) % all.size());
                for (int i = 0; i < step.amount(); i++) {
                    detachAndAttach(one, other, shared);
                }
            }
            case RECREATE -> {
                SharedSequencer shared = sequencer(step);
                durations.measure(
                        "destroy",
                        () -> tolerating(() -> shared.destroy(
                                choice(present(), step), SharedSequencer.LAYOUTS.get((int) step.amount()))));
            }
            case REST -> rest();
            default -> throw new AssertionError(step);
        }
    }

    private SharedSequencer sequencer(FaultStep step) {
        return sequencers.get(step.name());
    }

    private List<Participant> present() {
        return List.copyOf(participants);
    }

    private List<Participant> members() {
        return participants.stream().filter(Participant::isMember).toList();
    }

    private List<Participant> clients() {
        return participants.stream().filter(each -> !each.isMember()).toList();
    }

    private Participant choice(List<Participant> among, FaultStep step) {
        Participant choice = among.get(step.who() % among.size());
        done.add("    " + choice);
        return choice;
    }

    private HazelcastInstance leaving(Participant participant) {
        participants.remove(participant);
        return participant.instance();
    }

    /**
     * Crashes all members that have replicas of a name. The cluster is frozen during the crashes. If the cluster were
     * not frozen, Hazelcast would copy the data to another member after the first crash.
     */
    private void loseReplicas(String name, int backupCount) {
        cluster.awaitSafe();
        TestCluster.changeState(cluster.members().get(0), ClusterState.FROZEN);
        crashReplicas(name, backupCount);
        TestCluster.changeState(cluster.members().get(0), ClusterState.ACTIVE);
    }

    private void crashReplicas(String name, int backupCount) {
        List<HazelcastInstance> replicas =
                backupCount == 0 ? List.of(cluster.owner(name)) : List.of(cluster.owner(name), cluster.backup(name));
        participants.removeIf(each -> replicas.contains(each.instance()));
        Threads.run(replicas.size(), index -> cluster.crash(replicas.get(index)));
    }

    /** Ends all members before it starts new ones, so that the new members know only the high-water marks. */
    private void restart(boolean isInOrder) {
        List<HazelcastInstance> all = List.copyOf(cluster.members());
        participants.removeIf(Participant::isMember);
        if (isInOrder) {
            for (HazelcastInstance each : all) {
                cluster.awaitSafe();
                cluster.leave(each);
                cluster.awaitSize(); // The next member must know whether it is the last one.
            }
        } else {
            Threads.run(all.size(), index -> cluster.crash(all.get(index)));
        }
        cluster.forgetTheGone();
        all.forEach(gone -> join());
    }

    private void join() {
        OffsetClock clock = new OffsetClock(0);
        HazelcastInstance member = cluster.addMember(config -> {
            clock.install(config);
            if (profile == FaultProfile.SPLITS) {
                SplitNetwork.protect(config, FaultProfile.QUORUM);
            }
            highWaterMarks.ifPresent(
                    directory -> config.setProperty("snowcast.high.water.mark.dir", directory.toString()));
        });
        add(new Participant(joined.getAndIncrement(), true, member, clock));
    }

    private void joinAsClient() {
        OffsetClock clock = new OffsetClock(0);
        HazelcastInstance client = cluster.addClient(clock::install);
        add(new Participant(joined.getAndIncrement(), false, client, clock));
    }

    private void add(Participant participant) {
        SnowcastSystem.snowcast(participant.instance()).addPossibleDuplicatesListener(reported::add);
        participants.add(participant);
        List<IdGenerator> own = new ArrayList<>();
        for (SharedSequencer shared : sequencers) {
            for (int i = 0; i < THREADS_PER_SEQUENCER; i++) {
                own.add(new IdGenerator(participant, shared, ledger, durations));
            }
        }
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

    /**
     * Splits off one member if the profile has split-brain protection, and up to half of the members if it does not.
     */
    private void split(Participant first, FaultStep step) {
        List<HazelcastInstance> all = new ArrayList<>(cluster.members());
        Collections.rotate(all, -all.indexOf(first.instance()));
        int size = profile == FaultProfile.SPLITS ? 1 : 1 + (int) step.amount() % (all.size() / 2);
        SplitNetwork network = SplitNetwork.cut(all.subList(0, size), all.subList(size, all.size()))
                .noticed();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(step.amount()));
        cluster.forgetTheGone();
        network.merge();
    }

    private void setClusterClock(long offsetMillis) {
        cluster.members().forEach(member -> ClusterTime.setOffset(member, offsetMillis));
    }

    private void detachAndAttach(Participant one, Participant other, SharedSequencer shared)
            throws InterruptedException {
        for (Participant each : List.of(one, other)) {
            tolerating(() -> durations.measure("detach", () -> shared.of(each).detachLogicalNode()));
        }
        for (Participant each : List.of(one, other)) {
            tolerating(() -> durations.measure("attach", () -> shared.of(each).attachLogicalNode()));
        }
    }

    /** Runs an operation that may fail because of the schedule's faults. Such a failure does not fail the test. */
    private static void tolerating(Durations.Operation operation) throws InterruptedException {
        try {
            operation.run();
        } catch (SnowcastException | HazelcastInstanceNotActiveException e) {
            // For example, the participant was leaving, the cluster was recovering, or a clock was off.
        }
    }

    /**
     * Waits until each generator has generated more IDs, except generators whose clock is so wrong that the owner
     * refuses to attach their sequencer.
     */
    private void rest() throws InterruptedException {
        awaitTopology();
        attachAll();
        Map<IdGenerator, Long> goals = new HashMap<>();
        for (IdGenerator generator : generators) {
            if (participants.contains(generator.participant())) {
                goals.put(generator, generator.generated() + MORE);
            }
        }
        goals.forEach((generator, goal) -> {
            try {
                Await.until(
                        "more of " + generator,
                        () -> generator.generated() >= goal
                                || isRefused(generator)
                                || threads.stream().anyMatch(Threads::hasFailed));
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + "; now " + generator, e);
            }
        });
    }

    private boolean isRefused(IdGenerator generator) {
        String failure = generator.lastFailure();
        return !isInTime(generator.participant())
                && (failure.contains("clock must be at most") || failure.contains("it is Detached"));
    }

    /** Returns whether a participant's clock is certainly within the skew of cluster time. */
    private boolean isInTime(Participant participant) {
        return !isClusterTimeWrong && Math.abs(participant.clock().offsetMillis()) <= SKEW_MILLIS / 2;
    }

    /**
     * Attaches the sequencers that an earlier step detached and could not attach again. A member that was cut off may
     * not know that its sequencer was destroyed. It finds out when it attaches the sequencer.
     */
    private void attachAll() throws InterruptedException {
        for (Participant participant : participants) {
            for (SharedSequencer shared : sequencers) {
                long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
                while (System.nanoTime() - deadline < 0 && isToBeAttached(participant, shared)) {
                    tolerating(() -> shared.present(participant).ifPresent(SnowcastSequencer::attachLogicalNode));
                    LockSupport.parkNanos(STEP_PAUSE_NANOS);
                }
            }
        }
    }

    private boolean isToBeAttached(Participant participant, SharedSequencer shared) {
        return isInTime(participant)
                && shared.present(participant)
                        .filter(present -> present.getSequencerState() == SnowcastSequenceState.Detached)
                        .isPresent();
    }

    // --- the end

    private void end() throws InterruptedException {
        done.add("the end");
        awaitTopology();
        participants.forEach(participant -> participant.clock().setOffset(0));
        setClusterClock(0);
        rest();
        // By now every process has used up its grants from before the last merge.
        ledger.settle();
        rest();
        generators.forEach(IdGenerator::stop);
        threads.forEach(Threads::join);
        checkIds();
        detachAll();
        cluster.awaitSafe();
        Replicas.requireEqual(cluster.members());
        for (SharedSequencer shared : sequencers) {
            NodeIdCheck.requireAllFree(cluster.member(0), shared.config(), Duration.ofMinutes(3));
        }
        durations.requireAtMost(LONGEST);
    }

    private void checkIds() {
        ledger.check();
        if (!profile.hasSplits() && !reported.isEmpty()) {
            throw new AssertionError("reported without a split: " + reported);
        }
    }

    private void detachAll() throws InterruptedException {
        for (Participant participant : participants) {
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
        generators.forEach(IdGenerator::stop);
        topology.shutdownNow();
        cluster.close();
    }
}
