// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.BuildInfoProvider;
import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastMaxLogicalNodeIdOutOfBoundsException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequenceComparator;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequenceUtils;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastTimestampComparator;
import com.noctarius.snowcast.tests.FormerCall.Shows;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the calls of snowcast 1 and 2 that no other test covers. {@link FormerUser}, written for those versions, must
 * compile.
 */
@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class FormerCallsClusterTest {
    @AutoClose
    private static final MockCluster CLUSTER = MockCluster.of(2);

    private static final Map<Side, HazelcastInstance> BY_SIDE = new EnumMap<>(Side.class);
    private static final long BIT_40 = 1L << 40;

    private final HazelcastInstance instance;
    private final Snowcast snowcast;
    private final String name = TestCluster.newName();

    FormerCallsClusterTest(Side side) {
        instance = BY_SIDE.computeIfAbsent(side, first -> first.in(CLUSTER));
        snowcast = SnowcastSystem.snowcast(instance);
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 256, 512, 1_024, 2_048, 4_096, 8_192})
    @Shows(FormerCall.ID)
    void timeNodeAndCounterAreWhereTheyWere(int nodes) throws Exception {
        int nodeBits = Integer.numberOfTrailingZeros(nodes);
        SnowcastSequencer sequencer = snowcast.createSequencer(name, EPOCH, nodes);

        long id = sequencer.next();
        assertThat(id)
                .isEqualTo(sequencer.timestampValue(id) << 23
                        | (long) sequencer.logicalNodeId(id) << (23 - nodeBits)
                        | sequencer.counterValue(id));
        assertThat(sequencer.logicalNodeId(id)).isBetween(0, nodes - 1);
        assertThat(sequencer.counterValue(id)).isBetween(0, (1 << (23 - nodeBits)) - 1);
        assertThat(EPOCH.getEpochOffset() + sequencer.timestampValue(id))
                .isCloseTo(System.currentTimeMillis(), Offset.offset(60_000L));
    }

    /** A call that need not wait ignores the interrupt. */
    @Test
    @Shows(FormerCall.NEXT_INTERRUPTED)
    void anInterruptEndsAWaitAndIsKeptWhereThereIsNone() throws Exception {
        SnowcastSequencer sequencer = snowcast.createSequencer(name, EPOCH);
        Thread.currentThread().interrupt();
        try {
            sequencer.next();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        // 8,192 nodes leave 1,024 IDs per millisecond: this call has to wait.
        Threads waiting = Threads.start(1, index -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> sequencer.next(2_000_000)).isInstanceOf(InterruptedException.class);
        });
        waiting.join();
    }

    @Test
    @Shows(FormerCall.STATE)
    void theStatesHaveTheirOrder() {
        assertThat(SnowcastSequenceState.values())
                .containsExactly(
                        SnowcastSequenceState.Detached,
                        SnowcastSequenceState.Attached,
                        SnowcastSequenceState.Destroyed);
        SnowcastSequencer sequencer = snowcast.createSequencer(name, EPOCH);
        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        assertThat(sequencer.detachLogicalNode().getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
        snowcast.destroySequencer(sequencer);
        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
    }

    @Test
    @Shows({FormerCall.EPOCH, FormerCall.EPOCH_CALENDAR, FormerCall.EPOCH_CALENDAR_LEFT, FormerCall.EPOCH_TEXT})
    void epochsAreMadeAsTheyWere() {
        Calendar calendar = new GregorianCalendar();
        calendar.setTimeInMillis(1_388_534_400_123L);
        SnowcastEpoch byCalendar = SnowcastEpoch.byCalendar(calendar);
        SnowcastEpoch byTimestamp = SnowcastEpoch.byTimestamp(1_388_534_400_000L);

        assertThat(byCalendar).isEqualTo(byTimestamp).hasSameHashCodeAs(byTimestamp);
        assertThat(SnowcastEpoch.byInstant(Instant.parse("2014-01-01T00:00:00Z")))
                .isEqualTo(byTimestamp);
        assertThat(byTimestamp.getEpochOffset()).isEqualTo(1_388_534_400_000L);
        assertThat(calendar.getTimeInMillis()).isEqualTo(1_388_534_400_123L);
        assertThat(byTimestamp).hasToString("SnowcastEpoch{2014-01-01T00:00:00Z}");
    }

    @Test
    @Shows(FormerCall.EPOCH_REFUSED)
    @SuppressWarnings("NullAway")
    void epochsAreRefusedAsTheyWere() {
        Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
        assertThatNullPointerException().isThrownBy(() -> SnowcastEpoch.byInstant(null));
        assertThatNullPointerException().isThrownBy(() -> SnowcastEpoch.byCalendar(null));
        assertThatThrownBy(() -> SnowcastEpoch.byInstant(tomorrow)).isInstanceOf(SnowcastException.class);
        Calendar calendar = new GregorianCalendar();
        calendar.setTimeInMillis(tomorrow.toEpochMilli());
        assertThatThrownBy(() -> SnowcastEpoch.byCalendar(calendar)).isInstanceOf(SnowcastException.class);
    }

    @Test
    @Shows(FormerCall.UTILS)
    void idsAreTakenApartWithoutASequencer() throws Exception {
        SnowcastSequencer sequencer = snowcast.createSequencer(name, EPOCH, 512);
        long id = sequencer.next();

        assertThat(SnowcastSequenceUtils.timestampValue(id)).isEqualTo(sequencer.timestampValue(id));
        assertThat(SnowcastSequenceUtils.logicalNodeId(id, 512)).isEqualTo(sequencer.logicalNodeId(id));
        assertThat(SnowcastSequenceUtils.counterValue(id, 512)).isEqualTo(sequencer.counterValue(id));
        assertThat(SnowcastSequenceUtils.compareSequence(id, sequencer.next(), 512))
                .isNegative();
        assertThat(SnowcastSequenceUtils.logicalNodeId(5L << 23 | 3L << 10 | 2)).isEqualTo(3);
        assertThat(SnowcastSequenceUtils.counterValue(5L << 23 | 3L << 10 | 2)).isEqualTo(2);
    }

    @Test
    @Shows({FormerCall.TIMESTAMP_ORDER, FormerCall.SEQUENCE_ORDER})
    void comparatorsLookAtTimeAndCounterUnsigned() {
        long early = 5L << 23 | 3L << 10 | 2;
        long otherNode = 5L << 23 | 1L << 10 | 2;
        long laterCounter = 5L << 23 | 1L << 10 | 3;
        long negative = BIT_40 << 23;
        Comparator<Long> byTime = SnowcastTimestampComparator.INSTANCE;
        Comparator<Long> bySequence = new SnowcastSequenceComparator(8_192);

        assertThat(byTime.compare(early, laterCounter)).isZero();
        assertThat(byTime.compare(early, 6L << 23)).isNegative();
        assertThat(byTime.compare(early, negative)).isNegative();
        assertThat(bySequence.compare(early, otherNode)).isZero();
        assertThat(bySequence.compare(early, laterCounter)).isNegative();
        assertThat(bySequence.compare(early, negative)).isNegative();
    }

    @Test
    @Shows(FormerCall.EXCEPTIONS)
    void exceptionsAreOfOneFamily() {
        assertThat(RuntimeException.class).isAssignableFrom(SnowcastException.class);
        assertThat(Stream.of(
                        SnowcastIllegalStateException.class,
                        SnowcastMaxLogicalNodeIdOutOfBoundsException.class,
                        SnowcastNodeIdsExceededException.class,
                        SnowcastSequencerAlreadyRegisteredException.class,
                        SnowcastStateException.class))
                .allMatch(SnowcastException.class::isAssignableFrom);
    }

    /** 61 is Java 17. */
    @Test
    @Shows(FormerCall.PLATFORM)
    void classesAreOfJava17AndRunOnHazelcast5() throws IOException {
        try (DataInputStream in = new DataInputStream(
                Objects.requireNonNull(SnowcastSystem.class.getResourceAsStream("SnowcastSystem.class")))) {
            assertThat(in.readInt()).isEqualTo(0xCAFEBABE);
            assertThat(in.readUnsignedShort()).isZero();
            assertThat(in.readUnsignedShort()).isEqualTo(61);
        }
        assertThat(BuildInfoProvider.getBuildInfo().getVersion()).matches("5\\.[4-7]\\..*");
    }

    @ParameterizedTest
    @EnumSource(CounterStart.class)
    @Shows(FormerCall.COUNTER_START)
    void theCounterOfANewMillisecondBeginsAnywhereOrAtZero(CounterStart start) throws Exception {
        SnowcastSequencer sequencer = snowcast.createSequencer(
                SequencerConfig.builder(name).epoch(EPOCH).counterStart(start).build());
        long[] ids = new long[50];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = sequencer.next();
            // Calls that fill a millisecond continue with the first ID of the next.
            while (System.currentTimeMillis() <= EPOCH.getEpochOffset() + sequencer.timestampValue(ids[i])) {
                Thread.onSpinWait();
            }
        }

        assertThat(LongStream.of(ids).map(sequencer::counterValue).max().orElseThrow() == 0)
                .isEqualTo(start == CounterStart.ZERO);
    }

    @Test
    @Shows(FormerCall.LOGICAL_NODES)
    void theNextLogicalNodeIsAnotherOne() throws Exception {
        SnowcastSequencer sequencer = snowcast.createSequencer(name, EPOCH, 128);
        int before = sequencer.logicalNodeId(sequencer.next());
        for (int i = 0; i < 20; i++) {
            int after = sequencer.logicalNodeId(
                    sequencer.detachLogicalNode().attachLogicalNode().next());
            assertThat(after).isNotEqualTo(before);
            before = after;
        }
    }

    /**
     * D3: pending calls got IDs after the detach. Calls wait for the next millisecond here, which is that of a late ID.
     */
    @Test
    @Shows(FormerCall.DETACH_RETURNS)
    void whenDetachReturnsNoCallOfAnotherThreadGetsAnId() {
        SnowcastSequencer sequencer = snowcast.createSequencer(name, EPOCH);
        for (int round = 0; round < 20; round++) {
            AtomicLong taken = new AtomicLong();
            AtomicLong highest = new AtomicLong();
            long before = sequencer.stats().issuedCount();
            Threads threads = Threads.start(4, index -> {
                try {
                    while (true) {
                        highest.accumulateAndGet(sequencer.timestampValue(sequencer.next()), Math::max);
                        taken.incrementAndGet();
                    }
                } catch (SnowcastStateException e) {
                    // The sequencer was detached.
                }
            });
            Await.until("IDs", () -> taken.get() >= 10_000);
            sequencer.detachLogicalNode();
            long detachedAt = System.currentTimeMillis();
            threads.join();

            assertThat(EPOCH.getEpochOffset() + highest.get()).isLessThanOrEqualTo(detachedAt);
            assertThat(sequencer.stats().issuedCount() - before).isEqualTo(taken.get());
            sequencer.attachLogicalNode();
        }
    }

    @Test
    @Shows(FormerCall.NAMES)
    void namesHaveBounds() {
        assertThat(snowcast.createSequencer(name + "x".repeat(255 - name.length()), EPOCH)
                        .getSequencerState())
                .isEqualTo(SnowcastSequenceState.Attached);
        for (String bad : List.of("", "x".repeat(256), "a\nb")) {
            assertThatThrownBy(() -> snowcast.createSequencer(bad, EPOCH)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** The cluster of these tests sets no property. */
    @Test
    @Shows(FormerCall.PROPERTIES)
    void noPropertyHasToBeSet() throws Exception {
        assertThat(System.getProperties().stringPropertyNames())
                .noneMatch(each -> each.matches("snowcast\\..*millis.*"));
        assertThat(CLUSTER.member(0).getConfig().getProperties().stringPropertyNames())
                .noneMatch(each -> each.startsWith("snowcast."));
        snowcast.createSequencer(name, EPOCH).next();
    }

    // --- code for snowcast 1 and 2, FormerUser

    @Test
    @Shows(FormerCall.SNOWCAST_STATIC)
    void allWaysInLeadToTheSameSnowcast() {
        assertThat(FormerUser.allWaysIn(instance)).allMatch(way -> way == snowcast);
    }

    @Test
    @Shows(FormerCall.DECORATORS)
    void decoratorsGoOnToWork() throws InterruptedException {
        Snowcast counting = new FormerUser.CountingSnowcast(snowcast);
        SnowcastSequencer orders = counting.createSequencer(name, EPOCH);
        SnowcastSequencer bills = counting.createSequencer(name + "-bills", EPOCH, 128);

        requireDecoded(orders, 8_192);
        requireDecoded(bills, 128);
        assertThat(bills.getSequencerName()).isEqualTo(name + "-bills");
        counting.destroySequencer(bills);
        assertThat(FormerUser.describe(bills.getSequencerState())).isEqualTo("gone");
        assertThat(FormerUser.describe(orders.getSequencerState())).isEqualTo("busy");
        counting.destroySequencer(orders);
    }

    private static void requireDecoded(SnowcastSequencer sequencer, int maxLogicalNodeCount)
            throws InterruptedException {
        List<String> decoded = FormerUser.decoded(sequencer, maxLogicalNodeCount);
        assertThat(decoded).hasSize(2).doesNotHaveDuplicates().allSatisfy(each -> {
            String[] sides = each.split(" = ", -1);
            assertThat(sides[0]).isEqualTo(sides[1]);
        });
    }

    /** Versions 1 and 2 compared the name only. */
    @Test
    @Shows(FormerCall.DESTROY_FOREIGN)
    void aDecoratorIsNotWhatWasCreated() throws InterruptedException {
        SnowcastSequencer orders = snowcast.createSequencer(name, EPOCH);
        SnowcastSequencer counting = new FormerUser.CountingSequencer(orders);

        assertThatThrownBy(() -> snowcast.destroySequencer(counting))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must have been created by the same Snowcast");
        orders.next();
    }

    /** A decorator counts each ID, including IDs from methods that it does not know. */
    @Test
    void newMethodsOfASequencerCallItsDecorator() throws InterruptedException {
        FormerUser.CountingSequencer orders = new FormerUser.CountingSequencer(snowcast.createSequencer(name, EPOCH));

        assertThat(orders.name()).isEqualTo(name);
        assertThat(orders.next(3)).isSorted().doesNotHaveDuplicates().hasSize(3);
        long[] ids = new long[5];
        orders.next(ids, 1, 4);
        assertThat(ids[0] + ids[4]).isZero();
        assertThat(Arrays.copyOfRange(ids, 1, 4))
                .isSorted()
                .doesNotHaveDuplicates()
                .doesNotContain(0);
        assertThat(orders.count).isEqualTo(6);
        assertThatThrownBy(() -> orders.next(-1))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage("count must be 0 to 16777216: -1");
        assertThatThrownBy(() -> orders.next(ids, 4, 6)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void whatADecoratorCannotKnowIsRefusedWithItsName() {
        Snowcast counting = new FormerUser.CountingSnowcast(snowcast);
        SnowcastSequencer orders = counting.createSequencer(name, EPOCH);
        SequencerConfig config = SequencerConfig.builder(name).epoch(EPOCH).build();
        IntegerSequenceConfig integers = IntegerSequenceConfig.builder(name).build();
        Map<String, ThrowingCallable> calls = Map.ofEntries(
                entry("layout()", orders::layout),
                entry("epoch()", orders::epoch),
                entry("stats()", orders::stats),
                entry("tryNext()", orders::tryNext),
                entry("nextAsync()", orders::nextAsync),
                entry("sequencers()", counting::sequencers),
                entry("integerSequences()", counting::integerSequences),
                entry("createSequencer(SequencerConfig)", () -> counting.createSequencer(config)),
                entry("addPossibleDuplicatesListener", () -> counting.addPossibleDuplicatesListener(found -> {})),
                entry(
                        "removePossibleDuplicatesListener",
                        () -> counting.removePossibleDuplicatesListener(UUID.randomUUID())),
                entry("createIntegerSequence", () -> counting.createIntegerSequence(integers)));

        assertThat(calls)
                .allSatisfy((method, call) -> assertThatThrownBy(call)
                        .isExactlyInstanceOf(UnsupportedOperationException.class)
                        .hasMessageMatching(".*FormerUser\\$Counting\\w+ does not implement " + Pattern.quote(method)));
    }

    @Test
    @Shows(FormerCall.CONFIGURATOR)
    void theConfigurationStaysAsItIs() {
        Config own = new Config();
        String before = own.toString();

        assertThat(FormerUser.config(own)).isSameAs(own).hasToString(before);
    }

    @Test
    void epochsAndOrderAreWhatTheyWere() {
        long millis = EPOCH.getEpochOffset();

        assertThat(FormerUser.sameEpoch(millis)).allMatch(EPOCH::equals);
        assertThat(FormerUser.isNow(EPOCH, System.currentTimeMillis())).isTrue();
        assertThat(FormerUser.ordered(5L << 23, 6L << 23)).containsExactly(-1, -1, -1, -1, -1, -1, 0, 0);
        SnowcastSequencer orders = snowcast.createSequencer(name, EPOCH);
        assertThat(FormerUser.compared(orders, 5L << 23 | 2, 5L << 23 | 1)).isPositive();
        assertThat(FormerUser.ordered(5L << 23 | 2, 5L << 23 | 1)).containsExactly(0, 0, 1, 0, 1, 1, 0, 1);
        assertThat(SnowcastSequenceState.values())
                .extracting(FormerUser::describe)
                .containsExactly("idle", "busy", "gone");
    }

    @Test
    void exceptionsSayWhatTheyAreGiven() {
        assertThat(FormerUser.exceptions())
                .allSatisfy(each -> assertThat(each.getMessage()).isNotBlank());
        assertThat(FormerUser.exceptions().get(0)).hasMessageContaining("why").hasRootCauseMessage("why");
    }
}
