// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class SequencerStateClusterTest {
    /** Less than a batch of {@link #slow} takes. */
    private static final Duration PROMPTLY = Duration.ofMinutes(3);

    private final Side side;

    @AutoClose
    private MockCluster cluster;

    private HazelcastInstance instance;
    private SnowcastSequencer sequencer;

    SequencerStateClusterTest(Side side) {
        this.side = side;
    }

    @BeforeEach
    void start() {
        cluster = MockCluster.of(2);
        instance = side.in(cluster);
        sequencer = TestCluster.create(instance, "orders");
    }

    @Test
    void anAttachedSequencerCannotBeAttached() {
        assertState(SnowcastSequenceState.Attached);
        assertRefused(() -> sequencer.attachLogicalNode(), "must be Detached: it is Attached");
        assertState(SnowcastSequenceState.Attached);
    }

    @Test
    void aDetachedSequencerGivesNoIdsAndCannotBeDetached() {
        sequencer.detachLogicalNode();

        assertState(SnowcastSequenceState.Detached);
        assertGivesNoIds("must be Attached: it is Detached");
        assertRefused(() -> sequencer.detachLogicalNode(), "must be Attached: it is Detached");
        assertState(SnowcastSequenceState.Detached);
    }

    @Test
    void aDestroyedSequencerCanDoNothingButDecode() throws Exception {
        long id = sequencer.next();
        SnowcastSystem.snowcast(instance).destroySequencer(sequencer);

        assertState(SnowcastSequenceState.Destroyed);
        assertGivesNoIds("must be Attached: it is Destroyed");
        assertRefused(() -> sequencer.attachLogicalNode(), "must be Detached: it is Destroyed");
        assertRefused(() -> sequencer.detachLogicalNode(), "must be Attached: it is Destroyed");
        assertState(SnowcastSequenceState.Destroyed);
        assertThat(SnowcastLayout.DEFAULT.compose(
                        sequencer.timestampValue(id), sequencer.logicalNodeId(id), sequencer.counterValue(id)))
                .isEqualTo(id);
    }

    static Stream<Named<Consumer<HazelcastInstance>>> endings() {
        return Stream.of(
                Named.of("shutdown", HazelcastInstance::shutdown),
                Named.of("terminate", each -> each.getLifecycleService().terminate()));
    }

    static Stream<Named<Consumer<HazelcastInstance>>> interruptions() {
        return Stream.concat(
                endings(),
                Stream.of(
                        Named.of("detach", each -> slow(each).detachLogicalNode()),
                        Named.of(
                                "destroy", each -> SnowcastSystem.snowcast(each).destroySequencer(slow(each)))));
    }

    /** A sequencer with so few IDs per millisecond that a large batch takes many minutes. */
    private static SnowcastSequencer slow(HazelcastInstance hazelcast) {
        return SnowcastSystem.snowcast(hazelcast)
                .createSequencer(SequencerConfig.builder("slow")
                        .epoch(EPOCH)
                        .layout(new SnowcastLayout(41, 6, 2))
                        .build());
    }

    @ParameterizedTest
    @MethodSource("interruptions")
    void threadsThatWaitForIdsWakeAndFail(Consumer<HazelcastInstance> interruption) {
        SnowcastSequencer slow = slow(instance);
        Threads waiting = Threads.start(
                4, index -> assertThatThrownBy(() -> slow.next(2_000_000)).isInstanceOf(SnowcastStateException.class));
        Await.until("threads are waiting", () -> slow.tryNext().isEmpty());

        long start = System.nanoTime();
        interruption.accept(instance);
        waiting.join();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROMPTLY);
    }

    private void assertGivesNoIds(String reason) {
        assertRefused(() -> sequencer.next(), reason);
        assertRefused(() -> sequencer.next(1), reason);
        assertRefused(() -> sequencer.next(new long[3], 0, 3), reason);
        assertRefused(() -> sequencer.tryNext(), reason);
    }

    private void assertRefused(ThrowingCallable call, String reason) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessageContaining(sequencer.getSequencerName())
                .hasMessageContaining(reason);
    }

    private void assertState(SnowcastSequenceState state) {
        assertThat(sequencer.getSequencerState()).isEqualTo(state);
    }
}
