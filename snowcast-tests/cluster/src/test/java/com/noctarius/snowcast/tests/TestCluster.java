// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.cluster.ClusterState;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.Isolation;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A cluster of members and clients in this JVM. A test can add, crash and shut down members. */
abstract class TestCluster implements AutoCloseable {
    static final SnowcastEpoch EPOCH = Ledger.EPOCH;
    static final int PARTITIONS = 11;

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Map<String, String> properties;
    private final Ledger ledger;
    private final List<HazelcastInstance> members = new CopyOnWriteArrayList<>();
    private final List<HazelcastInstance> clients = new CopyOnWriteArrayList<>();

    TestCluster(Map<String, String> properties) {
        this(properties, new Ledger());
    }

    /** Makes a cluster whose grants and IDs are checked together with those of all clusters that use the ledger. */
    TestCluster(Map<String, String> properties, Ledger ledger) {
        this.properties = properties;
        this.ledger = ledger;
    }

    abstract HazelcastInstance newMember(Config config);

    abstract HazelcastInstance newClient(ClientConfig config);

    /** Stops all members and clients that are left. */
    abstract void terminate();

    /** Makes the configuration of a member that starts and stops quickly. */
    static Config config(Map<String, String> properties) {
        Config config = new Config();
        config.getJetConfig().setEnabled(false);
        config.setProperty("hazelcast.partition.count", Integer.toString(PARTITIONS));
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.setProperty("hazelcast.graceful.shutdown.max.wait", "20");
        // The time for which an operation waits for a backup on a crashed member.
        config.setProperty("hazelcast.operation.backup.timeout.millis", "500");
        properties.forEach(config::setProperty);
        return config;
    }

    /** Changes the cluster's state. Retries while Hazelcast rejects the change, for example soon after a crash. */
    static void changeState(HazelcastInstance member, ClusterState state) {
        Await.until("a change of the cluster's state", () -> {
            try {
                member.getCluster().changeClusterState(state);
                return true;
            } catch (IllegalStateException e) {
                return false;
            }
        });
    }

    final HazelcastInstance addMember() {
        return addMember(config -> {});
    }

    final HazelcastInstance addMember(Consumer<Config> settings) {
        HazelcastInstance member = join(settings);
        awaitSize();
        return member;
    }

    private HazelcastInstance join(Consumer<Config> settings) {
        Config config = config(properties);
        settings.accept(config);
        ledger.observe(config);
        HazelcastInstance member = newMember(config);
        members.add(member);
        return member;
    }

    /** Starts members at the same time. Hazelcast may add several of them to the cluster together. */
    final void addMembersAtOnce(int count) {
        Threads.run(count, index -> join(config -> {}));
        awaitSize();
    }

    /** Waits until each member lists as many members as this cluster has. */
    final void awaitSize() {
        int size = members.size();
        Await.until(
                size + " members",
                () -> members.stream()
                        .allMatch(each -> each.getCluster().getMembers().size() == size));
    }

    /** Makes the configuration of a client that tries to connect every 50 to 200 ms. */
    static ClientConfig clientConfig() {
        ClientConfig config = new ClientConfig();
        config.getConnectionStrategyConfig().getConnectionRetryConfig().setInitialBackoffMillis(50);
        config.getConnectionStrategyConfig().getConnectionRetryConfig().setMaxBackoffMillis(200);
        return config;
    }

    final HazelcastInstance addClient() {
        return addClient(config -> {});
    }

    final HazelcastInstance addClient(Consumer<ClientConfig> settings) {
        ClientConfig config = clientConfig();
        settings.accept(config);
        ledger.observe(config);
        HazelcastInstance client = newClient(config);
        clients.add(client);
        return client;
    }

    final HazelcastInstance member(int index) {
        return members.get(index);
    }

    final List<HazelcastInstance> members() {
        return members;
    }

    /** Returns the ledger, which records the grants of all holders, and the IDs that a test enters. */
    final Ledger ledger() {
        return ledger;
    }

    final Snowcast snowcast(int index) {
        return SnowcastSystem.snowcast(member(index));
    }

    /** Terminates a member, which the other members treat as a crash. */
    final void crash(HazelcastInstance member) {
        members.remove(member);
        member.getLifecycleService().terminate();
    }

    /** Shuts a member down gracefully. */
    final void leave(HazelcastInstance member) {
        members.remove(member);
        member.shutdown();
    }

    /** Waits until every partition has all the backups it can have, and every data member may act as an owner. */
    final void awaitSafe() {
        Await.until(
                "backups complete",
                () -> members.stream()
                        .allMatch(each -> each.getPartitionService().isLocalMemberSafe()));
        Await.until("members that may act", () -> Isolation.areSettled(members));
    }

    final List<SnowcastSequencer> createOnAll(String name) {
        return members.stream().map(member -> create(member, name)).toList();
    }

    static SnowcastSequencer create(HazelcastInstance member, String name) {
        return SnowcastSystem.snowcast(member).createSequencer(name, EPOCH);
    }

    static SnowcastSequencer create(HazelcastInstance member, String name, SnowcastLayout layout) {
        return SnowcastSystem.snowcast(member)
                .createSequencer(SequencerConfig.builder(name)
                        .epoch(EPOCH)
                        .layout(layout)
                        .build());
    }

    static String newName() {
        return "sequencer-" + NAMES.incrementAndGet();
    }

    final String nameOwnedBy(HazelcastInstance member) {
        return nameWhere(name -> isReplica(member, name, 0));
    }

    final String nameIn(int partitionId) {
        return nameWhere(
                name -> member(0).getPartitionService().getPartition(name).getPartitionId() == partitionId);
    }

    private static String nameWhere(Predicate<String> condition) {
        String[] name = {newName()};
        Await.until("a name for the partition", () -> {
            if (condition.test(name[0])) {
                return true;
            }
            name[0] = newName();
            return false;
        });
        return name[0];
    }

    final HazelcastInstance owner(String name) {
        return replica(name, 0);
    }

    /** Returns the member that has the first backup of the partition of a name. */
    final HazelcastInstance backup(String name) {
        return replica(name, 1);
    }

    /** Returns a member that is neither the owner nor the backup of a name. */
    final HazelcastInstance third(String name) {
        HazelcastInstance owner = owner(name);
        HazelcastInstance backup = backup(name);
        return members.stream()
                .filter(each -> each != owner && each != backup)
                .findAny()
                .orElseThrow();
    }

    /** Returns the result of a call that needs a node ID. Repeats the call until a node ID is free. */
    static <T> T whenANodeIdIsFree(Callable<T> call) {
        return when("a free node ID", SnowcastNodeIdsExceededException.class, call);
    }

    /** Returns the result of a call. Repeats the call as long as it throws a refusal of this type. */
    static <T> T when(String goal, Class<? extends SnowcastException> refusal, Callable<T> call) {
        AtomicReference<T> done = new AtomicReference<>();
        Await.until(goal, () -> {
            try {
                done.set(call.call());
                return true;
            } catch (Exception e) {
                if (refusal.isInstance(e)) {
                    return false;
                }
                throw new AssertionError(e);
            }
        });
        return Objects.requireNonNull(done.get());
    }

    private HazelcastInstance replica(String name, int index) {
        return memberWithReplica(name, index)
                .orElseThrow(() -> new AssertionError("no member is replica " + index + " of " + name));
    }

    /**
     * Returns whether a member has the replica {@code index} of the partition of a name, as far as the first member
     * knows.
     */
    final boolean isReplica(HazelcastInstance member, String name, int index) {
        return memberWithReplica(name, index).filter(each -> each == member).isPresent();
    }

    private Optional<HazelcastInstance> memberWithReplica(String name, int index) {
        int partitionId = member(0).getPartitionService().getPartition(name).getPartitionId();
        InternalPartition partition = Accessors.getPartitionService(member(0)).getPartition(partitionId);
        PartitionReplica replica = partition.getReplica(index);
        return members.stream()
                .filter(each -> replica != null
                        && each.getCluster().getLocalMember().getUuid().equals(replica.uuid()))
                .findAny();
    }

    final void terminateAll() {
        clients.forEach(HazelcastInstance::shutdown);
        members.forEach(member -> member.getLifecycleService().terminate());
    }

    /** Stops all members and clients. Fails if the {@linkplain Ledger#check checks of the ledger} fail. */
    @Override
    public final void close() {
        try {
            ledger.check();
        } finally {
            terminate();
        }
    }
}
