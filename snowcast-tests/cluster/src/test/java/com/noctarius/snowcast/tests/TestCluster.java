// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.cluster.ClusterState;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
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

/** Members and clients in this JVM that come and go. */
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

    /** Makes a cluster whose holders are compared with those of another one. */
    TestCluster(Map<String, String> properties, Ledger ledger) {
        this.properties = properties;
        this.ledger = ledger;
    }

    /** Starts a member on whatever network this is. */
    abstract HazelcastInstance newMember(Config config);

    /** Starts a client on whatever network this is. */
    abstract HazelcastInstance newClient(ClientConfig config);

    /** Ends all that is left. */
    abstract void terminate();

    /** Makes the configuration of a quick member. */
    static Config config(Map<String, String> properties) {
        Config config = new Config();
        config.getJetConfig().setEnabled(false);
        config.setProperty("hazelcast.partition.count", Integer.toString(PARTITIONS));
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.setProperty("hazelcast.graceful.shutdown.max.wait", "20");
        // How long an operation waits for a backup on a member that crashed.
        config.setProperty("hazelcast.operation.backup.timeout.millis", "500");
        properties.forEach(config::setProperty);
        return config;
    }

    /** Changes the cluster's state, as soon as all members have the same list of members. */
    static void changeState(HazelcastInstance member, ClusterState state) {
        Await.until("a change of the cluster's state", () -> {
            try {
                member.getCluster().changeClusterState(state);
                return true;
            } catch (IllegalStateException e) {
                return false; // Something of a crash is still to be done.
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

    /** Starts members at the same time: Hazelcast takes all in that ask while it waits for more. */
    final void addMembersAtOnce(int count) {
        Threads.run(count, index -> join(config -> {}));
        awaitSize();
    }

    /** Waits until all members see each other, and nobody else. */
    final void awaitSize() {
        int size = members.size();
        Await.until(
                size + " members",
                () -> members.stream()
                        .allMatch(each -> each.getCluster().getMembers().size() == size));
    }

    /** Makes the configuration of a client that does not wait long for a cluster. */
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

    /** Returns what all holders were granted, and IDs. */
    final Ledger ledger() {
        return ledger;
    }

    final Snowcast snowcast(int index) {
        return SnowcastSystem.snowcast(member(index));
    }

    /** Ends a member without a word. */
    final void crash(HazelcastInstance member) {
        members.remove(member);
        member.getLifecycleService().terminate();
    }

    /** Ends a member in order. */
    final void leave(HazelcastInstance member) {
        members.remove(member);
        member.shutdown();
    }

    /** Waits until every partition has all the backups it can have, and every member may act as an owner. */
    final void awaitSafe() {
        Await.until(
                "backups complete",
                () -> members.stream()
                        .allMatch(each -> each.getPartitionService().isLocalMemberSafe()));
        Await.until("members that may act", () -> Isolation.areSettled(members));
    }

    /** Creates a sequencer on every member. */
    final List<SnowcastSequencer> createOnAll(String name) {
        return members.stream().map(member -> create(member, name)).toList();
    }

    static SnowcastSequencer create(HazelcastInstance member, String name) {
        return SnowcastSystem.snowcast(member).createSequencer(name, EPOCH);
    }

    static String newName() {
        return "sequencer-" + NAMES.incrementAndGet();
    }

    /** Returns a new name whose partition is owned by a member. */
    final String nameOwnedBy(HazelcastInstance member) {
        return nameWhere(name -> isReplica(member, name, 0));
    }

    /** Returns a new name in a partition. */
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

    /** Returns the member that owns the partition of a name. */
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

    /** Does what needs a node ID as soon as one is free. */
    static <T> T whenANodeIdIsFree(Callable<T> call) {
        AtomicReference<T> done = new AtomicReference<>();
        Await.until("a free node ID", () -> {
            try {
                done.set(call.call());
                return true;
            } catch (SnowcastNodeIdsExceededException e) {
                return false;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        return Objects.requireNonNull(done.get());
    }

    private HazelcastInstance replica(String name, int index) {
        return memberWithReplica(name, index)
                .orElseThrow(() -> new AssertionError("no member is replica " + index + " of " + name));
    }

    /** Returns whether a member has a replica of the partition of a name, as far as the first member knows. */
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

    /** Ends the clients in order, and the members without a word. */
    final void terminateAll() {
        clients.forEach(HazelcastInstance::shutdown);
        members.forEach(member -> member.getLifecycleService().terminate());
    }

    /** Fails if two holders were granted the same, or IDs of the ledger are not what they must be. */
    @Override
    public final void close() {
        try {
            ledger.check();
        } finally {
            terminate();
        }
    }
}
