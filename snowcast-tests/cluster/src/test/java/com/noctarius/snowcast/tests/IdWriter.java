// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleListener;
import com.hazelcast.internal.cluster.impl.ClusterServiceImpl;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.leases.Coordinator.GrantObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The main class of {@link WriterProcess}: a member or client that reports its state on standard output. Unless it is a
 * {@link Role#SERVER}, it generates IDs and appends them to a file. The process ends when its standard input ends.
 *
 * <p>If the process is killed, the file may lack the IDs that the process generated last.
 */
public final class IdWriter {
    /** The first word of a line about the cluster. */
    static final String CLUSTER = "cluster";

    /** The first word of a line about the start, merge or end of the member. */
    static final String LIFECYCLE = "lifecycle";

    /** The line that says that the process generates IDs. */
    static final String GOING_ON = "going on";

    /** The first word of a line with the reason for a failed operation. */
    static final String FAILED = "failed";

    /** The first word of a line that says whether the member owns the partition of the name. */
    static final String OWNER = "owner:";

    /** The beginning of a line with the member's replica index for the name: 0 for the owner, -1 for none. */
    static final String REPLICA = "replica ";

    /** The beginning of a line with the longest duration of a batch so far, in milliseconds. */
    static final String LONGEST_WAIT = "longest wait, ms: ";

    /** The system property with the quorum of split-brain protection. Without this property there is no protection. */
    static final String QUORUM = "snowcast.test.quorum";

    static final String BACKUPS = "snowcast.test.backups";

    /** The system property with the lease of the sequencer. Without this property, it is the cluster's. */
    static final String LEASE = "snowcast.test.lease.millis";

    /** The system property with the milliseconds between two batches of IDs. */
    static final String PAUSE = "snowcast.test.pause.millis";

    /** The system property that makes a process detach and attach after every {@link #BATCHES_PER_GRANT} batches. */
    static final String IS_BUSY = "snowcast.test.busy";

    private static final int BATCH = Boolean.getBoolean(IS_BUSY) ? 20 : 50;
    static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(Long.getLong(PAUSE, 1));
    static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LATE_HEARTBEAT_MILLIS = 3_000;
    private static final long LOST_HEARTBEAT_MILLIS = 12_000;
    static final int BATCHES_PER_GRANT = Boolean.getBoolean(IS_BUSY) ? 100 : Integer.MAX_VALUE;

    private final Task task;
    private final GrantFile grants;
    private String lastState = "";
    private long longestWaitMillis;

    enum Role {
        MEMBER,
        LITE_MEMBER,
        /** A member that generates no IDs. */
        SERVER,
        CLIENT
    }

    /**
     * The task of a process.
     *
     * @param host the address of this process
     * @param port the port of this member
     * @param peers addresses of members, with their ports
     * @param clockOffsetMillis how far its wall clock is ahead of the machine's
     * @param file the file for the IDs
     */
    record Task(
            String clusterName,
            Role role,
            String host,
            int port,
            List<String> peers,
            String sequencer,
            SnowcastLayout layout,
            long clockOffsetMillis,
            Path file) {

        private static final String NOTHING = "-";

        String address() {
            return host + ':' + port;
        }

        Path grants() {
            return Path.of(file + ".grants");
        }

        /** Returns the name of the process. */
        String by() {
            return role + " " + file.getFileName();
        }

        /** Returns the file with the beginning, the end and the number of IDs of each call. */
        Path calls() {
            return Path.of(file + ".calls");
        }

        List<String> toArguments() {
            return Stream.of(
                            clusterName,
                            role,
                            host,
                            port,
                            peers.isEmpty() ? NOTHING : String.join(",", peers),
                            sequencer,
                            layout.timestampBits(),
                            layout.logicalNodeBits(),
                            layout.counterBits(),
                            clockOffsetMillis,
                            file)
                    .map(String::valueOf)
                    .toList();
        }

        static Task of(String[] arguments) {
            return new Task(
                    arguments[0],
                    Role.valueOf(arguments[1]),
                    arguments[2],
                    Integer.parseInt(arguments[3]),
                    arguments[4].equals(NOTHING) ? List.of() : List.of(arguments[4].split(",", -1)),
                    arguments[5],
                    new SnowcastLayout(
                            Integer.parseInt(arguments[6]),
                            Integer.parseInt(arguments[7]),
                            Integer.parseInt(arguments[8])),
                    Long.parseLong(arguments[9]),
                    Path.of(arguments[10]));
        }
    }

    private IdWriter(Task task) {
        this.task = task;
        this.grants = new GrantFile(task.grants());
    }

    /** Arguments: see {@link Task#toArguments}. */
    public static void main(String[] args) throws Exception {
        endWithStandardInput();
        IdWriter writer = new IdWriter(Task.of(args));
        HazelcastInstance hazelcast = writer.join();
        if (writer.task.role != Role.SERVER) {
            SnowcastSystem.snowcast(hazelcast).addPossibleDuplicatesListener(writer.grants::reported);
        }
        if (Boolean.getBoolean(MoreIds.PROPERTY)) {
            for (MoreIds more : MoreIds.values()) {
                startDaemon(more.name(), () -> more.write(hazelcast, writer.task.file, why -> say(FAILED + ' ' + why)));
            }
        }
        if (writer.task.role == Role.CLIENT) {
            // Hazelcast has a shutdown hook for members only. Without this hook, a client that gets SIGTERM would end
            // as in a crash.
            Runtime.getRuntime().addShutdownHook(new Thread(hazelcast::shutdown, "shutdown"));
            writer.generate(hazelcast);
        } else {
            if (writer.task.role != Role.SERVER) {
                startDaemon("generator", () -> writer.generate(hazelcast));
            }
            writer.reportCluster(hazelcast);
        }
    }

    private static void endWithStandardInput() {
        startDaemon("end", () -> {
            try {
                while (System.in.read() >= 0) {
                    // The test sends no input. When the test's process ends, the stream ends, and so does this process.
                }
            } catch (IOException e) {
                // Handled like the end of the stream.
            }
            Runtime.getRuntime().halt(0);
        });
    }

    private static void startDaemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private HazelcastInstance join() {
        Map<String, Object> forTests = new HashMap<>(Map.of(GrantObserver.KEY, grants));
        if (task.clockOffsetMillis != 0) {
            forTests.put(SystemClock.REPLACEMENT_KEY, new OffsetClock(task.clockOffsetMillis));
        }
        if (task.role == Role.CLIENT) {
            ClientConfig config = TestCluster.clientConfig().setClusterName(task.clusterName);
            config.getNetworkConfig().addAddress(task.peers.toArray(String[]::new));
            config.setUserContext(new ConcurrentHashMap<>(forTests));
            return HazelcastClient.newHazelcastClient(config);
        }
        Config config = TestCluster.config(Map.of());
        Integer quorum = Integer.getInteger(QUORUM);
        if (quorum != null) {
            SplitNetwork.protect(config, quorum);
        }
        config.setLiteMember(task.role == Role.LITE_MEMBER);
        config.addListenerConfig(
                new ListenerConfig((LifecycleListener) event -> say(LIFECYCLE + ' ' + event.getState())));
        config.getUserContext().putAll(forTests);
        return Hazelcast.newHazelcastInstance(
                TcpCluster.at(task.host, task.port, task.peers, config.setClusterName(task.clusterName)));
    }

    /**
     * Prints each change of the cluster's size, of this member's safety, and of its replica of the sequencer's
     * partition. Does not call {@code isClusterSafe}, because that method also sends requests to paused members, which
     * would delay the requests between the other members.
     */
    private void reportCluster(HazelcastInstance member) {
        String last = "";
        String lastOwner = "";
        int lastReplica = -1;
        InternalPartition partition = Accessors.getPartitionService(member)
                .getPartition(member.getPartitionService()
                        .getPartition(task.sequencer)
                        .getPartitionId());
        PartitionReplica self = PartitionReplica.from(member.getCluster().getLocalMember());
        while (true) {
            String now = clusterLine(
                    member.getCluster().getMembers().size(),
                    member.getPartitionService().isLocalMemberSafe()
                            && !(Boolean.getBoolean(IS_BUSY) && isRemovalPending(member)));
            if (!now.equals(last)) {
                say(now);
                last = now;
            }
            Member owner =
                    member.getPartitionService().getPartition(task.sequencer).getOwner();
            String nowOwner = ownerLine(owner != null && owner.localMember());
            if (!nowOwner.equals(lastOwner)) {
                say(nowOwner);
                lastOwner = nowOwner;
            }
            int replica = partition.getReplicaIndex(self);
            if (replica != lastReplica) {
                say(REPLICA + replica);
                lastReplica = replica;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /**
     * Returns whether another member may soon be removed. A fault that is already over can have this effect, because it
     * has delayed heartbeats. A member that has been silent for longer than {@link #LOST_HEARTBEAT_MILLIS} does not
     * count, because it may stay listed forever. Two members that suspect each other send each other no heartbeats, but
     * both stay listed while the oldest member receives heartbeats from both.
     */
    private static boolean isRemovalPending(HazelcastInstance member) {
        ClusterServiceImpl cluster =
                (ClusterServiceImpl) Accessors.getNodeEngineImpl(member).getClusterService();
        return cluster.getMembers().stream()
                .filter(each -> !each.localMember())
                .mapToLong(each -> cluster.getClusterTime()
                        - cluster.getClusterHeartbeatManager().getLastHeartbeatTime(each))
                .anyMatch(age -> age > LATE_HEARTBEAT_MILLIS && age < LOST_HEARTBEAT_MILLIS);
    }

    static String ownerLine(boolean isOwner) {
        return OWNER + ' ' + isOwner;
    }

    static String clusterLine(int members, boolean isSafe) {
        return CLUSTER + " of " + members + (isSafe ? ", safe" : "");
    }

    private void generate(HazelcastInstance hazelcast) {
        SequencerConfig.Builder builder = SequencerConfig.builder(task.sequencer)
                .epoch(TestCluster.EPOCH)
                .layout(task.layout)
                .backupCount(Integer.getInteger(BACKUPS, 1));
        Long leaseMillis = Long.getLong(LEASE);
        if (leaseMillis != null) {
            builder.lease(Duration.ofMillis(leaseMillis));
        }
        SequencerConfig config = builder.build();
        try (FileChannel file = FileChannel.open(task.file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                FileChannel calls =
                        FileChannel.open(task.calls(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int batch = 1; ; batch++) {
                try {
                    long before = System.nanoTime();
                    SnowcastSequencer sequencer =
                            SnowcastSystem.snowcast(hazelcast).createSequencer(config);
                    if (batch % BATCHES_PER_GRANT == 0
                            && sequencer.getSequencerState() == SnowcastSequenceState.Attached) {
                        sequencer.detachLogicalNode();
                    }
                    if (sequencer.getSequencerState() == SnowcastSequenceState.Detached) {
                        sequencer.attachLogicalNode();
                    }
                    long began = System.nanoTime();
                    long[] ids = sequencer.next(BATCH);
                    long returned = System.nanoTime();
                    reportWait(TimeUnit.NANOSECONDS.toMillis(returned - before));
                    append(file, ids);
                    append(calls, began, returned, BATCH);
                    report(GOING_ON);
                    LockSupport.parkNanos(PAUSE_NANOS);
                } catch (SnowcastException e) {
                    report(FAILED + ' ' + e.getMessage());
                    LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
                }
            }
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            say(FAILED + " for good: " + e);
        }
    }

    static void append(FileChannel file, long... ids) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(ids.length * Long.BYTES);
        buffer.asLongBuffer().put(ids);
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
    }

    /**
     * Reports a new maximum duration of a batch. Ignores the first batch, which attaches, and a batch after a failure.
     */
    private void reportWait(long millis) {
        if (lastState.equals(GOING_ON) && millis > longestWaitMillis) {
            say(LONGEST_WAIT + millis);
            longestWaitMillis = millis;
        }
    }

    private void report(String state) {
        if (!state.equals(lastState)) {
            say(state);
            lastState = state;
        }
    }

    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }
}
