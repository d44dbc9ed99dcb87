// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.status.ClusterStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the table of cluster states in docs/operate/settings.md. The table says which calls work in each state, with
 * all replicas or without the owner or the backup. Tests the messages of failed calls, too. The callers are a client,
 * and a member without a replica.
 */
@Tag("integration")
class ClusterStatesClusterTest {
    /**
     * The call time-out in tests with the tag "faults", in which some calls fail at their time-out. A member must have
     * refused them once by then, on a busy machine, too.
     */
    private static final Duration SHORT_CALL_TIMEOUT = Duration.ofSeconds(15);

    /** The call time-out in the other tests. A call that does not wait takes less than this on any machine. */
    private static final Duration LONG_CALL_TIMEOUT = Duration.ofMinutes(1);

    private static final int MAX_LENGTH = 300;
    private static final String WAY_OUT = ": changeClusterState(ACTIVE) ends that";

    @AutoClose
    private MockCluster cluster;

    private Duration callTimeout;
    private String name;
    private String newName;
    private HazelcastInstance owner;
    private HazelcastInstance backup;
    private HazelcastInstance other;
    private List<HazelcastInstance> callers;
    private List<SnowcastSequencer> attached;

    @BeforeEach
    void start(TestInfo test) {
        callTimeout = test.getTags().contains("faults") ? SHORT_CALL_TIMEOUT : LONG_CALL_TIMEOUT;
        cluster = MockCluster.of(
                3,
                Map.of(
                        "snowcast.lease.millis",
                        "2000",
                        "hazelcast.operation.call.timeout.millis",
                        Long.toString(callTimeout.toMillis())));
        name = TestCluster.newName();
        owner = cluster.owner(name);
        backup = cluster.backup(name);
        other = cluster.third(name);
        newName = cluster.nameIn(owner.getPartitionService().getPartition(name).getPartitionId());
        HazelcastInstance client = cluster.addClient(config -> config.setProperty(
                "hazelcast.client.invocation.timeout.seconds", Long.toString(callTimeout.toSeconds())));
        callers = List.of(other, client);
        attached =
                callers.stream().map(caller -> TestCluster.create(caller, name)).toList();
    }

    private void crash(HazelcastInstance member) {
        cluster.crash(member);
        Await.until("two members", () -> other.getCluster().getMembers().size() == 2);
    }

    // --- the checks of a cell of the table

    private void leasesAreRenewed() {
        List<Long> before =
                attached.stream().map(each -> each.stats().renewalCount()).toList();
        for (int i = 0; i < attached.size(); i++) {
            SnowcastSequencer sequencer = attached.get(i);
            long wanted = before.get(i) + 4; // two leases: a lease is renewed when half of it is used
            Await.until("renewals", () -> sequencer.stats().renewalCount() >= wanted);
            // On a busy machine one renewal may be late: wait for the next one.
            Await.until("an ID", () -> sequencer.tryNext().isPresent());
            Await.until("no problem", () -> sequencer.stats().problem().isEmpty());
        }
    }

    private void noLeaseIsRenewedBecause(String reason) {
        for (SnowcastSequencer sequencer : attached) {
            // On a busy machine a first renewal may fail before an owner has refused it.
            Await.until(reason, () -> sequencer.stats().problem().contains(reason));
            assertThat(sequencer.stats().problem())
                    .startsWith("renewals fail since ")
                    .doesNotContain("Operation{")
                    .hasSizeLessThan(MAX_LENGTH);
        }
    }

    private void creationIsRefusedBecause(String reason) {
        List<CompletableFuture<Throwable>> failures = callers.stream()
                .map(caller ->
                        CompletableFuture.supplyAsync(() -> catchThrowable(() -> TestCluster.create(caller, newName))))
                .toList();
        for (CompletableFuture<Throwable> failure : failures) {
            assertUnavailable(failure.join(), reason);
        }
    }

    private static void assertUnavailable(Throwable failure, String reason) {
        assertThat(failure)
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasMessageContaining(reason);
        assertThat(failure.getMessage()).doesNotContain("Operation{").hasSizeLessThan(MAX_LENGTH);
    }

    private void creationSucceeds() throws InterruptedException {
        for (HazelcastInstance caller : callers) {
            TestCluster.create(caller, newName).next();
        }
    }

    private void detachDoesNotWait() {
        for (SnowcastSequencer sequencer : attached) {
            long start = System.nanoTime();
            sequencer.detachLogicalNode();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(callTimeout);
            assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
        }
    }

    private void allGoesOnWhenItIsActive() throws InterruptedException {
        TestCluster.changeState(other, ClusterState.ACTIVE);
        cluster.awaitSafe();
        leasesAreRenewed();
        creationSucceeds();
    }

    private static String backupMissing(ClusterState state) {
        return "has 0 of 1 backups at present, and no other member becomes one while the cluster is " + state + WAY_OUT;
    }

    private static String ownerMissing(ClusterState state) {
        return "has left, and no other member takes its place while the cluster is " + state + WAY_OUT;
    }

    private static String passive() {
        return "the cluster is PASSIVE, and then only renews leases and takes back what is returned" + WAY_OUT;
    }

    // --- all replicas are up

    @ParameterizedTest
    @EnumSource(names = {"NO_MIGRATION", "FROZEN", "PASSIVE"})
    void withAllReplicasLeasesAreRenewedAndTheStatusIsReadInEveryState(ClusterState state) {
        TestCluster.changeState(owner, state);
        leasesAreRenewed();
        assertThat(SnowcastSystem.clusterStatus(other).sequencers())
                .extracting("name")
                .contains(name);
        assertThat(SnowcastSystem.clusterStatus(callers.get(1)).sequencers())
                .extracting("name")
                .contains(name);
        detachDoesNotWait();
        Await.until(
                "given back",
                () -> SnowcastSystem.clusterStatus(other).sequencers().stream()
                        .filter(each -> each.name().equals(name))
                        .allMatch(each -> each.nodes().stream().noneMatch(ClusterStatus.Node::isAttached)));
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_MIGRATION", "FROZEN"})
    void withAllReplicasAllElseWorksUnlessItIsPassive(ClusterState state) throws Exception {
        TestCluster.changeState(owner, state);
        creationSucceeds();
        SnowcastSystem.snowcast(other).destroySequencer(attached.get(0));
    }

    @Test
    void passiveNothingIsTakenOrEndedAndTheErrorSaysSoAtOnce() throws Exception {
        TestCluster.changeState(owner, ClusterState.PASSIVE);

        long start = System.nanoTime();
        creationIsRefusedBecause(passive());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(callTimeout);
        assertUnavailable(
                catchThrowable(() -> SnowcastSystem.snowcast(other).destroySequencer(attached.get(0))), passive());
        attached.get(1).detachLogicalNode();
        assertUnavailable(catchThrowable(attached.get(1)::attachLogicalNode), passive());

        TestCluster.changeState(owner, ClusterState.ACTIVE);
        attached.get(1).attachLogicalNode().next();
        SnowcastSystem.snowcast(other).destroySequencer(attached.get(0));
        creationSucceeds();
    }

    /** If the backup did not know the renewals, the {@link Ledger} would find overlapping grants after the crash. */
    @Test
    void whatIsRenewedWhileItIsPassiveIsKnownToTheBackup() throws Exception {
        TestCluster.changeState(owner, ClusterState.PASSIVE);
        leasesAreRenewed();
        TestCluster.changeState(owner, ClusterState.ACTIVE);
        crash(owner);
        creationSucceeds();
        leasesAreRenewed();
    }

    // --- a replica is missing

    /** With {@code NO_MIGRATION}, the backup takes the place of a missing owner, and then lacks a backup itself. */
    @ParameterizedTest
    @Tag("faults")
    @CsvSource({
        "NO_MIGRATION, false",
        "FROZEN, false",
        "PASSIVE, false",
        "NO_MIGRATION, true",
        "FROZEN, true",
        "PASSIVE, true"
    })
    void withoutAReplicaNothingIsGrantedAndTheErrorNamesTheState(ClusterState state, boolean isOwnerMissing)
            throws Exception {
        TestCluster.changeState(owner, state);
        crash(isOwnerMissing ? owner : backup);
        boolean hasNoOwner = isOwnerMissing && state != ClusterState.NO_MIGRATION;
        String missing = hasNoOwner ? ownerMissing(state) : backupMissing(state);
        noLeaseIsRenewedBecause(missing);
        creationIsRefusedBecause(state == ClusterState.PASSIVE && !hasNoOwner ? passive() : missing);
        if (hasNoOwner) {
            assertUnavailable(catchThrowable(() -> SnowcastSystem.clusterStatus(other)), missing);
        }
        allGoesOnWhenItIsActive();
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_MIGRATION", "FROZEN", "PASSIVE"})
    void withoutABackupLogicalNodesAreTakenBack(ClusterState state) {
        TestCluster.changeState(owner, state);
        crash(backup);
        detachDoesNotWait();
        if (state == ClusterState.NO_MIGRATION) {
            assertThat(SnowcastSystem.clusterStatus(other).sequencers())
                    .extracting("name")
                    .contains(name);
        } else { // The crashed backup of this partition owned other partitions, whose status is missing.
            assertUnavailable(catchThrowable(() -> SnowcastSystem.clusterStatus(other)), ownerMissing(state));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FROZEN", "PASSIVE"})
    void withoutItsOwnerADetachDoesNotWait(ClusterState state) {
        TestCluster.changeState(owner, state);
        crash(owner);
        detachDoesNotWait();
    }

    // --- no partition was assigned yet

    @ParameterizedTest
    @EnumSource(names = {"NO_MIGRATION", "FROZEN", "PASSIVE"})
    void beforePartitionsAreAssignedTheErrorNamesTheState(ClusterState state) {
        try (MockCluster fresh = MockCluster.of(0)) {
            HazelcastInstance member = fresh.addMember();
            TestCluster.changeState(member, state);
            assertThatThrownBy(() -> SnowcastSystem.snowcast(member).createSequencer(name, EPOCH))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("has no owner, and none is assigned while the cluster is " + state + WAY_OUT);
        }
    }
}
