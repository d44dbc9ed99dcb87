// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.jdbc.PostgresServer;
import com.noctarius.snowcast.peers.Schedule.Step;
import com.noctarius.snowcast.tests.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Runs a group of generators, all in the same processes, under the faults of a schedule. */
final class Run implements AutoCloseable {
    /** The number of processes in a crowd. Set {@code -Dcrowd} lower if a machine would take minutes to start them. */
    private static final int CROWD = Integer.getInteger("crowd", 50);

    private static final int IDS_OF_A_CROWD = 300;
    /** The time limit of a crowd after its last process was started. Two processors need minutes to start 50 JVMs. */
    private static final Duration CROWD_AT_MOST = Duration.ofMinutes(4);
    /** The longest wait for the next ID of each process after a fault, and for the first ID of most new processes. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long AT_FIRST = 0;

    private final List<Subject> subjects;
    private final Subject.Need needs;
    private final Duration lease;
    private final Place host;
    private final List<Node> all = new ArrayList<>();
    private final Node[] atPlace = new Node[Schedule.PLACES];
    private final List<History.Span> faults = new ArrayList<>();
    /**
     * Processes that the current fault has started after a restore of the database, and killed again. Each should have
     * got an ID in between.
     */
    private final List<Node> newcomers = new ArrayList<>();

    private int names;
    /** The outcome of each crowd of the present fault. */
    private final List<String> crowds = new ArrayList<>();

    /** Makes a fault happen, and returns the time of its end in nanoseconds. */
    private interface Action {
        long perform() throws Exception;
    }

    /** Reads the histories of generators one by one, because all histories together would fill the memory. */
    interface Recorded {
        History of(String subject) throws IOException;
    }

    private Run(List<Subject> subjects, Place host) {
        this.subjects = subjects;
        this.needs = subjects.get(0).needs();
        this.lease = subjects.get(0).lease();
        this.host = host;
    }

    /**
     * Runs the schedule of a seed. After the given duration, no further fault begins, but the last one is completed.
     *
     * @param subjects generators with the same needs and equal leases
     * @return an object that reads the history of each generator
     */
    static Recorded of(List<Subject> subjects, long seed, Duration duration, Place host) throws Exception {
        try (Run run = new Run(subjects, host)) {
            return run.perform(new Schedule(seed), duration);
        }
    }

    private Recorded perform(Schedule schedule, Duration duration) throws Exception {
        long begin = System.nanoTime();
        for (int place = 0; place < Schedule.PLACES; place++) {
            atPlace[place] = start(newName(), place);
        }
        Await.until(
                "the first IDs of " + subjects.stream().map(Subject::name).toList(),
                () -> Stream.of(atPlace).allMatch(node -> node.hasIdSince(AT_FIRST)));
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < end) {
            Step step = schedule.next();
            if (step.fault().reaches(needs) && host.allows(step.fault())) {
                happen(step);
                pass(Duration.ofMillis(step.calmMillis()));
            }
        }
        all.forEach(Node::close);
        long ended = System.nanoTime();
        return subject -> {
            List<History.Caller> processes = new ArrayList<>();
            for (Node node : all) {
                processes.add(node.toHistory(subject));
            }
            return new History(begin, ended, processes, faults);
        };
    }

    // --- processes

    private int newName() {
        return names++;
    }

    private Node start(int number, int place) throws IOException {
        return start(number, place, Duration.ZERO);
    }

    private Node start(int number, int place, Duration clockAhead) throws IOException {
        return added(host.start(subjects, number, place, clockAhead, false, all.size()));
    }

    private Node startInCrowd(List<Subject> generators, int number) throws IOException {
        return added(host.start(generators, number, Node.NO_PLACE, Duration.ZERO, true, all.size()));
    }

    private Node added(Node node) {
        all.add(node);
        return node;
    }

    private Node startAgain(Node former, boolean isRenamed) throws IOException {
        return start(isRenamed ? newName() : former.setup().number(), former.place());
    }

    // --- faults

    private void happen(Step step) throws Exception {
        Node victim = atPlace[step.place()];
        newcomers.clear();
        long begin = System.nanoTime();
        long end = action(step, victim).perform();
        List<Node> waiting = Stream.of(atPlace).toList();
        List<Integer> indexes = Stream.concat(waiting.stream(), newcomers.stream())
                .map(all::indexOf)
                .toList();
        faults.add(new History.Span(step.fault(), detail(step, victim), begin, end, indexes));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline && !waiting.stream().allMatch(node -> node.hasIdSince(end))) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private String detail(Step step, Node victim) {
        return switch (step.fault()) {
            case CROWD -> String.join("; ", crowds);
            case DATABASE_FROZEN, DATABASE_KILLED, DATABASE_DUMP, DATABASE_POINT_IN_TIME -> "of all";
            case SPLIT -> victim + " is alone";
            case CLOCK_BACK, CLOCK_AHEAD, RESTART_CLOCK_BACK ->
                victim + ", " + step.clockStep().toSeconds() + " s";
            default -> victim.toString();
        };
    }

    private Action action(Step step, Node victim) {
        Duration lasts = step.lastsAtALeaseOf(lease);
        return switch (step.fault()) {
            case KILL -> () -> restart(victim, false);
            case KILL_RENAMED -> () -> restart(victim, true);
            case PAUSE -> () -> pause(victim, lasts);
            case PAUSE_REPLACED -> () -> replace(victim, lasts, false);
            case PAUSE_REPLACED_RENAMED -> () -> replace(victim, lasts, true);
            case CLOCK_BACK -> () -> setClock(victim, step.clockStep().negated(), lasts);
            case CLOCK_AHEAD -> () -> setClock(victim, step.clockStep(), lasts);
            case RESTART_CLOCK_BACK -> () -> restartWithClockBack(victim, step.clockStep(), lasts);
            case TWIN -> () -> twin(victim, lasts);
            case CROWD -> this::crowd;
            case DATABASE_FROZEN -> () -> freezeDatabase(lasts);
            case DATABASE_KILLED -> this::killDatabase;
            case DATABASE_DUMP -> this::loadDump;
            case DATABASE_POINT_IN_TIME -> this::restorePointInTime;
            case SPLIT -> () -> split(step.place(), lasts);
        };
    }

    private long restart(Node victim, boolean isRenamed) throws IOException {
        victim.close();
        atPlace[victim.place()] = startAgain(victim, isRenamed);
        return System.nanoTime();
    }

    private long pause(Node victim, Duration lasts) throws Exception {
        victim.pause();
        pass(lasts);
        victim.resume();
        return System.nanoTime();
    }

    /** Acts like a platform that has lost contact with a host: starts another process while the first one is paused. */
    private long replace(Node victim, Duration lasts, boolean isRenamed) throws Exception {
        victim.pause();
        Node next = startAgain(victim, isRenamed);
        pass(lasts);
        victim.resume();
        long end = System.nanoTime();
        pass(lease);
        victim.close();
        atPlace[victim.place()] = next;
        return end;
    }

    private long setClock(Node victim, Duration ahead, Duration lasts) {
        victim.setClockAhead(ahead);
        pass(lasts);
        victim.setClockAhead(Duration.ZERO);
        return System.nanoTime();
    }

    private long restartWithClockBack(Node victim, Duration behind, Duration lasts) throws IOException {
        victim.close();
        Node next = start(victim.setup().number(), victim.place(), behind.negated());
        atPlace[victim.place()] = next;
        pass(lasts);
        next.setClockAhead(Duration.ZERO);
        return System.nanoTime();
    }

    private long twin(Node victim, Duration lasts) throws IOException {
        try (Node twin = startAgain(victim, false)) {
            passUntilFirstId(twin, PATIENCE);
            pass(lasts);
        }
        return System.nanoTime();
    }

    /** Generators with a database or cluster have one crowd each, because a small machine cannot serve all at once. */
    private long crowd() throws IOException {
        crowds.clear();
        if (needs == Subject.Need.NOTHING) {
            crowd(subjects);
        } else {
            for (Subject subject : subjects) {
                crowd(List.of(subject));
            }
        }
        return System.nanoTime();
    }

    private void crowd(List<Subject> generators) throws IOException {
        long begin = System.nanoTime();
        List<Node> crowd = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            crowd.add(startInCrowd(generators, i));
        }
        long deadline = System.nanoTime() + CROWD_AT_MOST.toNanos();
        while (System.nanoTime() < deadline && !crowd.stream().allMatch(node -> node.hasIds(IDS_OF_A_CROWD))) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        long complete =
                crowd.stream().filter(node -> node.hasIds(IDS_OF_A_CROWD)).count();
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        String outcome = complete + " of " + CROWD + " in " + seconds + " s";
        System.out.println("a crowd of "
                + generators.stream().map(Subject::name).toList() + ", " + IDS_OF_A_CROWD + " IDs each: " + outcome);
        crowds.add(outcome);
        crowd.forEach(Node::close);
    }

    private long freezeDatabase(Duration lasts) throws Exception {
        host.database().freeze();
        pass(lasts);
        host.database().thaw();
        return System.nanoTime();
    }

    private long killDatabase() throws Exception {
        host.database().kill();
        pass(lease.dividedBy(2));
        host.database().restart();
        return System.nanoTime();
    }

    private long loadDump() throws Exception {
        Dump dump = host.database().dump();
        return whileForgotten(dump::load);
    }

    private long restorePointInTime() throws Exception {
        PostgresServer copy = host.database().pointInTime();
        return whileForgotten(() -> host.database().restore(copy));
    }

    private interface Restore {
        void perform() throws Exception;
    }

    private long whileForgotten(Restore restore) throws Exception {
        try (Node forgotten = start(newName(), Node.NO_PLACE)) {
            passUntilFirstId(forgotten, lease);
            restore.perform();
            long end = System.nanoTime();
            try (Node next = start(newName(), Node.NO_PLACE)) {
                newcomers.add(next);
                passUntilFirstId(next, PATIENCE);
                pass(lease.dividedBy(2));
            }
            return end;
        }
    }

    private static void passUntilFirstId(Node node, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (System.nanoTime() < deadline && !node.hasIdSince(AT_FIRST)) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private long split(int place, Duration lasts) throws IOException {
        host.cutOff(place);
        pass(lasts);
        host.heal();
        return System.nanoTime();
    }

    /** Waits for a time of the schedule, not for an event. */
    private static void pass(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    @Override
    public void close() {
        all.forEach(Node::close);
    }
}
