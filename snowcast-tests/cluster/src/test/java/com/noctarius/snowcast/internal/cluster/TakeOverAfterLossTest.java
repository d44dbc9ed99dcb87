// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.test.TestHazelcastFactory;
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
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.Peer;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a partition whose owner has lost its data, after a holder has renewed a grant from before the loss. */
@Tag("integration")
class TakeOverAfterLossTest {
    private static final TableRules RULES = new TableRules(1_000, 100, 1_200, 0, 8_191);
    private static final Definition DEFINITION = new Definition(0, SnowcastLayout.DEFAULT, 1, null);

    private final AtomicLong nowMillis = new AtomicLong(1_700_000_000_000L);

    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory();

    private NodeEngineImpl nodeEngine;

    @BeforeEach
    void start() {
        nodeEngine = Accessors.getNodeEngineImpl(factory.newHazelcastInstance(Members.config()));
    }

    /** Replica 2 receives no grants of the name. When it becomes the owner, it must know that it lacks them. */
    @Test
    void allReplicasKnowANameThatIsTakenOverAfterALoss() {
        GrantBounds bounds = bounds(nodeEngine, otherMembers(nodeEngine));
        PartitionContainer owner = bounds.containerAfterLoss(null);
        PartitionContainer replica = new PartitionContainer();
        replica.join(owner.snapshotFor(2), null, false);
        long now = nowMillis.addAndGet(1_000);
        RequestContext context = restoring(owner, "orders", bounds);
        assertThat(context.isForAllReplicas()).isTrue();
        replica.join(context.snapshot().forReplica(2), null, false);

        replica.becomeOwner(2, now, bounds.waitEndIfLostNow());
        assertThatThrownBy(() -> Handlers.of(RequestType.ATTACH)
                        .action()
                        .apply(
                                new AttachRequest("orders", DEFINITION, 0, UUID.randomUUID(), 1, now + 500, 0, -1),
                                new RequestContext(replica, now + 500, bounds)))
                .isInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageEndingWith("no holder can be attached before " + Instant.ofEpochMilli(now + 1_200));
    }

    /**
     * All members discard their data. The backup does so when the first message of the owner arrives, a moment after
     * the owner, and then misses a name that a renewal restores.
     */
    @Test
    void aCopyThatWasDiscardedLaterThanThatOfTheOwnerCountsTheNamesOfTheOwner() {
        NodeEngineImpl ofBackup = startBackup();
        UUID sender = nodeEngine.getLocalMember().getUuid();
        OtherMembers others = otherMembers(ofBackup);
        GrantBounds bounds = bounds(ofBackup, others);
        Containers copies = new Containers(ofBackup, bounds, ofBackup.getLogger(getClass()));
        copies.reset();
        copies.join(0, sender, new PartitionContainer().snapshotFor(1));

        others.electorate().decide(sender, List.of(sender), 1);
        Tables.discard(others.electorate(), nowMillis.get());
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
        OtherMembers others = otherMembers(nodeEngine);
        GrantBounds bounds = bounds(nodeEngine, others);
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
        NodeEngineImpl ofBackup = startBackup();
        UUID sender = nodeEngine.getLocalMember().getUuid();
        GrantBounds bounds = bounds(ofBackup, otherMembers(ofBackup));
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

    /** Starts a lite member, which never owns a partition. */
    private NodeEngineImpl startBackup() {
        return Accessors.getNodeEngineImpl(
                factory.newHazelcastInstance(Members.config().setLiteMember(true)));
    }

    /** Lets a renewal restore a name; returns the change for the backups. */
    private static ContainerSnapshot restored(PartitionContainer owner, String name, GrantBounds bounds) {
        return restoring(owner, name, bounds).snapshot().forReplica(1);
    }

    private static RequestContext restoring(PartitionContainer owner, String name, GrantBounds bounds) {
        long now = bounds.clusterMillis();
        Token token = new Token(1, 2, UUID.randomUUID());
        RenewRequest request = new RenewRequest(name, DEFINITION, 1, 0, token, now + 500, now, 0);
        RequestContext context = new RequestContext(owner, now, bounds);
        assertThat(Handlers.of(RequestType.RENEW).action().apply(List.of(request), context))
                .hasSize(1);
        return context;
    }

    private static OtherMembers otherMembers(NodeEngineImpl nodeEngine) {
        return new OtherMembers(
                nodeEngine,
                settings(),
                () -> HighWaterMark.NONE,
                SystemClock.INSTANCE,
                nodeEngine.getLogger(TakeOverAfterLossTest.class),
                SnowcastOperation.PeerOperation::new);
    }

    private GrantBounds bounds(NodeEngineImpl nodeEngine, OtherMembers others) {
        return new GrantBounds(nodeEngine, nowMillis::get, settings(), others, null);
    }

    private static Settings settings() {
        Peer.Setup setup = new Peer.Setup(
                "0-8191", RULES.leaseMillis(), RULES.leaseMillis(), RULES.maxSkewMillis(), null, 0, false, 0);
        return new Settings(setup, RULES, List.of(), 0, null, 5_000, 60_000, 100);
    }
}
