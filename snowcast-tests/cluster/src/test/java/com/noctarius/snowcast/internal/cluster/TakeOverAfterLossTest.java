// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.Peer;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a partition whose owner has lost its data, after a holder has renewed a grant from before the loss. */
@Tag("integration")
class TakeOverAfterLossTest {
    private final TestHazelcastFactory factory = new TestHazelcastFactory();
    private NodeEngineImpl nodeEngine;

    @BeforeEach
    void start() {
        nodeEngine = Accessors.getNodeEngineImpl(factory.newHazelcastInstance(Members.config()));
    }

    @AfterEach
    void stop() {
        factory.terminateAll();
    }

    /** Replica 2 receives no grants of the name. When it becomes the owner, it must know that it lacks them. */
    @Test
    void allReplicasKnowANameThatIsTakenOverAfterALoss() {
        TableRules rules = new TableRules(1_000, 100, 1_200, 0, 8_191);
        AtomicLong nowMillis = new AtomicLong(1_700_000_000_000L);
        HandDrivenPartition partition = new HandDrivenPartition(nodeEngine, rules, nowMillis::get);
        Definition definition = new Definition(0, SnowcastLayout.DEFAULT, 1, null);
        partition.lose();
        Token token = new Token(1, 2, UUID.randomUUID());
        nowMillis.addAndGet(1_000);
        long now = nowMillis.get();
        RenewReply reply = partition
                .ask(RequestType.RENEW, List.of(new RenewRequest("orders", definition, 1, 0, token, now + 500, now, 0)))
                .get(0);
        assertThat(reply.ceiling()).isEqualTo(now + 1_000);

        partition.promote(2);
        nowMillis.addAndGet(500);
        assertThatThrownBy(() -> partition.ask(
                        RequestType.ATTACH,
                        new AttachRequest("orders", definition, 0, UUID.randomUUID(), 1, now + 500, 0, -1)))
                .isInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageEndingWith("no holder can be attached before " + Instant.ofEpochMilli(now + 1_200));
    }

    /**
     * All members discard their data. The backup does so when the first message of the owner arrives, a moment after
     * the owner, and then misses a name that a renewal restores.
     */
    @Test
    void aCopyThatWasDiscardedLaterThanThatOfTheOwnerCountsTheNamesOfTheOwner() {
        Config neverOwner = Members.config().setLiteMember(true);
        NodeEngineImpl ofBackup = Accessors.getNodeEngineImpl(factory.newHazelcastInstance(neverOwner));
        UUID sender = nodeEngine.getLocalMember().getUuid();
        AtomicLong nowMillis = new AtomicLong(1_700_000_000_000L);
        TableRules rules = new TableRules(1_000, 100, 1_200, 0, 8_191);
        OtherMembers others = otherMembers(ofBackup, rules);
        GrantBounds bounds = bounds(ofBackup, rules, others, nowMillis::get);
        Containers copies = new Containers(ofBackup, bounds, ofBackup.getLogger(getClass()));
        copies.reset();
        copies.join(0, sender, new PartitionContainer().snapshotFor(1));

        others.electorate().goOnWithoutData(nowMillis.get());
        PartitionContainer owner = bounds.containerAfterLoss(null);
        nowMillis.addAndGet(1);
        copies.join(0, sender, restored(owner, "orders", bounds));
        restored(owner, "bills", bounds);
        copies.join(0, sender, owner.snapshot(List.of()));

        assertThat(copies.backupOrMade(0).lacksNames()).isTrue();
    }

    /** A member that was paused, and may have missed decisions of others, continues without its own data. */
    @Test
    void aMemberThatDiscardsItsOwnDataHasLostWhatItOwnsAndCopied() {
        nodeEngine
                .getHazelcastInstance()
                .getPartitionService()
                .getPartition("orders")
                .getOwner(); // assigns them
        TableRules rules = new TableRules(1_000, 100, 1_200, 0, 8_191);
        OtherMembers others = otherMembers(nodeEngine, rules);
        GrantBounds bounds = bounds(nodeEngine, rules, others, () -> 1_700_000_000_000L);
        Containers containers = new Containers(nodeEngine, bounds, nodeEngine.getLogger(getClass()));
        containers.reset();
        PartitionContainer before = containers.ownedOrMade(0);
        assertThat(before.hasLostData()).isFalse();

        containers.discard();

        PartitionContainer after = containers.ownedOrMade(0);
        assertThat(after).isNotSameAs(before);
        assertThat(after.hasLostData() && after.isUnsent()).isTrue();
        assertThat(containers.ownedOrMade(0)).as("once").isSameAs(after);
        assertThat(containers.ownedOrMade(1).hasLostData())
                .as("others may have used a partition that this member takes for unused")
                .isTrue();
        assertThat(others.electorate().discardedMillis()).isZero();
    }

    @Test
    void aCopyThatIsDiscardedLacksTheNamesOfItsOwner() {
        Config neverOwner = Members.config().setLiteMember(true);
        NodeEngineImpl ofBackup = Accessors.getNodeEngineImpl(factory.newHazelcastInstance(neverOwner));
        UUID sender = nodeEngine.getLocalMember().getUuid();
        TableRules rules = new TableRules(1_000, 100, 1_200, 0, 8_191);
        GrantBounds bounds = bounds(ofBackup, rules, otherMembers(ofBackup, rules), () -> 1_700_000_000_000L);
        Containers copies = new Containers(ofBackup, bounds, ofBackup.getLogger(getClass()));
        copies.reset();
        PartitionContainer owner = bounds.containerAfterLoss(null); // A renewal restores a name after a loss only.
        restored(owner, "orders", bounds);
        copies.join(0, sender, owner.snapshotFor(1)).setCopied(true);

        copies.discard();

        assertThat(copies.join(0, sender, restored(owner, "bills", bounds)).lacksNames())
                .isTrue();
        assertThat(copies.join(0, sender, owner.snapshotFor(1)).lacksNames()).isFalse();
    }

    /** Lets a renewal restore a name; returns the change for the backups. */
    private static ContainerSnapshot restored(PartitionContainer owner, String name, GrantBounds bounds) {
        long now = bounds.clusterMillis();
        Token token = new Token(1, 2, UUID.randomUUID());
        RenewRequest request = new RenewRequest(
                name, new Definition(0, SnowcastLayout.DEFAULT, 1, null), 1, 0, token, now + 500, now, 0);
        RequestContext context = new RequestContext(owner, now, bounds);
        assertThat(Handlers.of(RequestType.RENEW).action().apply(List.of(request), context))
                .hasSize(1);
        return context.snapshot().forReplica(1);
    }

    private static OtherMembers otherMembers(NodeEngineImpl nodeEngine, TableRules rules) {
        return new OtherMembers(
                nodeEngine,
                settings(rules),
                () -> HighWaterMark.NONE,
                SystemClock.INSTANCE,
                nodeEngine.getLogger(TakeOverAfterLossTest.class),
                SnowcastOperation.PeerOperation::new);
    }

    private static GrantBounds bounds(
            NodeEngineImpl nodeEngine, TableRules rules, OtherMembers others, LongSupplier clusterClock) {
        return new GrantBounds(nodeEngine, clusterClock, settings(rules), others, null);
    }

    private static Settings settings(TableRules rules) {
        Peer.Setup setup = new Peer.Setup(
                "0-8191", rules.leaseMillis(), rules.leaseMillis(), rules.maxSkewMillis(), null, 0, false, 0);
        return new Settings(setup, rules, List.of(), 0, null, 5_000, 60_000, 100);
    }

    /** A simulated partition with the containers and handlers of a member. The test sets its time, owner and losses. */
    private static final class HandDrivenPartition {
        private static final int REPLICAS = 3;

        private final GrantBounds bounds;
        /** The container of each replica, by replica index. Index 0 is the owner. */
        private final List<PartitionContainer> replicas = new ArrayList<>();

        HandDrivenPartition(NodeEngineImpl nodeEngine, TableRules rules, LongSupplier clusterClock) {
            this.bounds = bounds(nodeEngine, rules, otherMembers(nodeEngine, rules), clusterClock);
            goOn(bounds.newContainer());
        }

        /** Lets the owner handle a request, and applies its change to the backups. */
        <Q, A> A ask(RequestType<Q, A> call, Q request) {
            Handlers.Handler<Q, A> handler = Handlers.of(call);
            PartitionContainer owner = replicas.get(0);
            int backups = handler.backups().applyAsInt(request, owner);
            RequestContext context = new RequestContext(owner, bounds.clusterMillis(), bounds);
            A answer = handler.action().apply(request, context);
            for (int index = 1; index < REPLICAS && (context.isForAllReplicas() || index <= backups); index++) {
                replicas.get(index).join(context.snapshot().forReplica(index), null, false);
            }
            return answer;
        }

        /** Makes a replica the owner, as after a crash. If the replica's data is incomplete, this counts as a loss. */
        void promote(int replicaIndex) {
            PartitionContainer promoted = replicas.get(replicaIndex);
            promoted.becomeOwner(replicaIndex, bounds.clusterMillis(), bounds.waitEndIfLostNow());
            goOn(promoted);
        }

        /** Replaces all replicas, as when the new owner of the partition finds no data of the old one. */
        void lose() {
            goOn(bounds.containerAfterLoss(null));
        }

        private void goOn(PartitionContainer owner) {
            replicas.clear();
            replicas.add(owner);
            for (int index = 1; index < REPLICAS; index++) {
                PartitionContainer backup = new PartitionContainer();
                backup.join(owner.snapshotFor(index), null, false);
                replicas.add(backup);
            }
        }
    }
}
