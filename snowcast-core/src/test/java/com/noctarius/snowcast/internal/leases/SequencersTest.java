// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static com.noctarius.snowcast.internal.leases.FakeCluster.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Gate;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.Waiting;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SequencersTest {
    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final FakeCluster cluster = new FakeCluster(clock);
    private final FakeMember member = cluster.join(clock);
    private final FakeMember other = cluster.join(clock);
    private final FakeCoordinator coordinator = member.coordinator;

    @Test
    void nameHasOneInstanceInWhateverStateItIs() {
        Sequencer sequencer = member.create("orders0");
        assertThat(member.create("orders0")).isSameAs(sequencer);

        sequencer.detachLogicalNode();
        assertThat(member.create("orders0")).isSameAs(sequencer);
        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
        assertThat(coordinator.attaches).hasSize(1);
    }

    @Test
    void otherSettingsOfTheInstanceAreToldOnceAndHaveNoEffect() {
        Sequencer sequencer =
                member.create(config("orders0").lease(Duration.ofSeconds(20)).build());
        assertThat(member.create(config("orders0").lease(Duration.ofSeconds(20)).build()))
                .isSameAs(sequencer);
        assertThat(member.warnings()).isEmpty();

        for (int i = 0; i < 3; i++) {
            assertThat(member.create(
                            config("orders0").counterStart(CounterStart.RANDOM).build()))
                    .isSameAs(sequencer);
        }
        assertThat(member.warnings())
                .singleElement()
                .asString()
                .contains("Sequencer orders0 keeps counterStart=ZERO, lease=PT20S, as it was"
                        + " created with on this Snowcast, and not with counterStart=RANDOM,"
                        + " lease=default");
        assertThat(sequencer).asString().contains("counterStart=ZERO, lease=PT20S");
    }

    @Test
    void otherDefinitionIsRefusedByTheMemberAndByTheCluster() {
        member.create("orders0");
        for (FakeMember asked : List.of(member, other)) {
            assertThatThrownBy(
                            () -> asked.create(config("orders0").backupCount(2).build()))
                    .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                    .hasMessageContaining("backup count 1, not backup count 2");
        }
        assertThat(member.create("orders0").getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        assertThat(other.sequencers.leaseKeeper.names.all()).isEmpty();
    }

    @Test
    void layoutOfMoreNodesThanAClusterHasIsRefusedBeforeTheClusterIsAsked() {
        assertThatThrownBy(() -> member.create(
                        config("orders0").layout(new SnowcastLayout(41, 14, 9)).build()))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage("sequencer orders0: logicalNodeBits must be 1 to 13 in a cluster (more are for"
                        + " SnowcastSystem.standaloneSequencer): 14");
        assertThat(coordinator.attaches).isEmpty();
        assertThat(member.create(
                                config("orders0").layout(SnowcastLayout.DEFAULT).build())
                        .getSequencerState())
                .isEqualTo(SnowcastSequenceState.Attached);
    }

    @Test
    void failedCreationLeavesNothingBehind() {
        coordinator.fail(new IllegalStateException("no owner"));
        assertThatThrownBy(() -> member.create("orders0")).hasMessage("no owner");
        assertThat(member.sequencers.leaseKeeper.names.all()).isEmpty();

        coordinator.fail(null);
        assertThat(member.create("orders0").getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
    }

    @Test
    void destructionDuringTheFirstAttachEndsTheInstance() {
        Sequencer attaching =
                (Sequencer) member.sequencers.create(config("orders0").build(), false);
        coordinator.onNextGrant(() -> member.sequencers.destroy("sequencer", attaching));

        assertThatThrownBy(attaching::attachLogicalNode)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage("sequencer orders0 cannot be attached: it was destroyed");
        assertThat(attaching.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
        assertThat(coordinator.detaches).hasSize(1);
    }

    @Test
    void oldInstanceHasNoEffectOnTheNewOneOfItsName() {
        Sequencer old = member.create("orders0");
        member.sequencers.destroy("sequencer", old);
        Sequencer here = member.create("orders0");
        Sequencer there = other.create("orders0");

        member.sequencers.destroy("sequencer", old);
        member.sequencers.leaseKeeper.destroyUpTo("orders0", old.state().incarnation());

        assertThat(List.of(here, there))
                .extracting(Sequencer::getSequencerState)
                .containsOnly(SnowcastSequenceState.Attached);
        assertThat(member.create("orders0")).isSameAs(here);
    }

    @Test
    void destructionThatReachesNoOtherInstanceIsLogged() {
        Sequencer old = member.create("orders0");
        old.detachLogicalNode();
        cluster.lose("orders0");
        member.clock.advanceMillis(1);
        Sequencer there = other.create("orders0");

        member.sequencers.destroy("sequencer", old);

        assertThat(there.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        assertThat(member.warnings())
                .containsExactly("WARNING Sequencer orders0: only this instance was destroyed, because its data was"
                        + " lost or replaced; if other processes use the name, they continue. To end them too, create"
                        + " the name again, and destroy the new instance");

        member.sequencers.destroy("sequencer", member.create("orders0"));

        assertThat(there.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
        assertThat(member.warnings()).hasSize(1);
    }

    @Test
    void failedDestructionLeavesTheInstanceDestroyedAndMayBeRepeated() {
        Sequencer sequencer = member.create("orders0");
        Sequencer there = other.create("orders0");
        coordinator.onNextDestroy(() -> {
            throw new IllegalStateException("no owner");
        });
        assertThatThrownBy(() -> member.sequencers.destroy("sequencer", sequencer))
                .hasMessage("no owner");
        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
        assertThat(there.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        assertThat(coordinator.detaches).as("its node ID is given back").hasSize(1);

        member.sequencers.destroy("sequencer", sequencer);

        assertThat(there.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
    }

    @Test
    void creationThatADestructionOvertakesBelongsToTheNextIncarnation() {
        Sequencer elsewhere = other.create("orders0");
        coordinator.onNextGrant(() -> other.sequencers.destroy("sequencer", elsewhere));

        Sequencer sequencer = member.create("orders0");

        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        assertThat(sequencer.state().incarnation())
                .isGreaterThan(elsewhere.state().incarnation());
        assertThat(coordinator.detaches).hasSize(1);
        assertThat(coordinator.detaches)
                .extracting(DetachRequest::token)
                .doesNotContain(coordinator.grantOf("orders0").token());
        assertThat(member.create("orders0")).isSameAs(sequencer);
    }

    /** The destruction of the former incarnation may arrive late, and more than once. */
    @Test
    void holderOfALaterIncarnationAttachesToTheFormerOneIfTheClusterContinuesThatOne() throws InterruptedException {
        Sequencer old = member.create("orders0");
        long destroyed = old.state().incarnation();
        member.sequencers.destroy("sequencer", old);
        Sequencer sequencer = member.create("orders0");
        member.sequencers.leaseKeeper.destroyUpTo("orders0", destroyed);
        cluster.continueDestroyed(coordinator.attaches.get(0), destroyed);

        sequencer.clusterChanged("its cluster is gone");
        member.keep();

        sequencer.next();
        assertThat(sequencer.state().incarnation()).isEqualTo(destroyed);
        assertThat(member.warnings()).noneMatch(line -> line.contains("could not attach"));
    }

    @Test
    void destructionBeforeTheFirstAttachDoesNotVoidItsGrant() {
        Sequencer old = other.create("orders0");
        long destroyed = old.state().incarnation();
        Sequencer sequencer =
                (Sequencer) member.sequencers.create(config("orders0").build(), false);
        other.sequencers.destroy("sequencer", old);
        cluster.continueDestroyed(other.coordinator.attaches.get(0), destroyed);

        sequencer.attachLogicalNode();

        assertThat(sequencer.state().incarnation()).isEqualTo(destroyed);
    }

    @Test
    void creationGivesUpAfterAHundredDestructions() {
        for (int i = 0; i < 100; i++) {
            coordinator.onNextGrant(() -> member.sequencers.leaseKeeper.destroyUpTo(
                    "orders0", coordinator.grantOf("orders0").incarnation()));
        }

        assertThatThrownBy(() -> member.create("orders0"))
                .isInstanceOf(SnowcastException.class)
                .hasMessage("sequencer orders0: its grant became void 100 times while it was under way");
        assertThat(coordinator.detaches).hasSize(100);
        assertThat(member.sequencers.leaseKeeper.names.all()).isEmpty();
    }

    @Test
    void concurrentCreationsOfANameGetOneInstanceAndOtherNamesDoNotWait() throws Exception {
        Gate gate = new Gate();
        coordinator.onNextAttach(gate::pass);
        List<Waiting<Sequencer>> creations = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            creations.add(Waiting.start(() -> member.create("slow0")));
        }
        gate.awaitThread();

        assertThat(member.create("orders0").getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        member.sequencers.leaseKeeper.destroyUpTo("slow0", 1);
        gate.open();

        Sequencer slow = creations.get(0).get();
        for (Waiting<Sequencer> creation : creations) {
            assertThat(creation.get()).isSameAs(slow);
        }
        assertThat(coordinator.attaches).hasSize(2);
    }

    @Test
    void creationThatWaitsForAFailingOneAsksForItself() throws Exception {
        Gate gate = new Gate();
        coordinator.onNextAttach(() -> {
            gate.pass();
            throw new IllegalStateException("lost");
        });
        Waiting<Sequencer> failing = Waiting.start(() -> member.create("orders0"));
        gate.awaitThread();
        Waiting<Sequencer> second = Waiting.start(() -> member.create("orders0"));
        second.awaitWaiting();
        gate.open();

        assertThatThrownBy(failing::get).hasMessage("lost");
        assertThat(member.create("orders0")).isSameAs(second.get());
    }

    @Test
    void anInterruptEndsACreationThatWaitsForAnotherOne() throws Exception {
        Gate gate = new Gate();
        coordinator.onNextAttach(gate::pass);
        Waiting<Sequencer> first = Waiting.start(() -> member.create("orders0"));
        gate.awaitThread();
        AtomicBoolean isInterrupted = new AtomicBoolean();
        Waiting<Sequencer> second = Waiting.start(() -> {
            try {
                return member.create("orders0");
            } finally {
                isInterrupted.set(Thread.currentThread().isInterrupted());
            }
        });
        second.awaitWaiting();
        second.thread().interrupt();

        assertThatThrownBy(second::get)
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasMessage("sequencer orders0: the thread was interrupted before another thread had created it");
        assertThat(isInterrupted).isTrue();
        gate.open();
        first.get();
    }

    @Test
    void anInterruptedThreadGetsWhatExists() throws Exception {
        Sequencer sequencer = member.create("orders0");

        assertThat(Waiting.start(() -> {
                            Thread.currentThread().interrupt();
                            return member.create("orders0");
                        })
                        .get())
                .isSameAs(sequencer);
    }
}
