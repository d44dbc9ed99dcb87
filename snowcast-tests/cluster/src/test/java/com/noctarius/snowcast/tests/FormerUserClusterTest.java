// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.tests.FormerCall.Shows;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What was written for snowcast 1 and 2, {@link FormerUser}, compiles and does what it did. */
@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class FormerUserClusterTest {
    private static final SnowcastEpoch EPOCH = TestCluster.EPOCH;

    private final Side side;
    private MockCluster cluster;
    private List<Snowcast> waysIn;

    FormerUserClusterTest(Side side) {
        this.side = side;
    }

    @BeforeEach
    void start() {
        cluster = MockCluster.of(1);
        waysIn = FormerUser.allWaysIn(side.in(cluster));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    @Shows(FormerCall.SNOWCAST_STATIC)
    void allWaysInLeadToTheSameSnowcast() {
        assertThat(waysIn).allMatch(way -> way == waysIn.get(0));
    }

    @Test
    @Shows(FormerCall.DECORATORS)
    void decoratorsGoOnToWork() throws InterruptedException {
        Snowcast counting = new FormerUser.CountingSnowcast(waysIn.get(0));
        SnowcastSequencer orders = counting.createSequencer("orders", EPOCH);
        SnowcastSequencer bills = counting.createSequencer("bills", EPOCH, 128);

        requireDecoded(orders, 8_192);
        requireDecoded(bills, 128);
        assertThat(bills.getSequencerName()).isEqualTo("bills");
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

    /** Versions 1 and 2 went by the name. */
    @Test
    @Shows(FormerCall.DESTROY_FOREIGN)
    void aDecoratorIsNotWhatWasCreated() throws InterruptedException {
        SnowcastSequencer orders = waysIn.get(0).createSequencer("orders", EPOCH);
        SnowcastSequencer counting = new FormerUser.CountingSequencer(orders);

        assertThatThrownBy(() -> waysIn.get(0).destroySequencer(counting))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must have been created by the same Snowcast");
        orders.next();
    }

    /** A decorator hears of each ID, also of those that are taken by a method it does not know. */
    @Test
    void newMethodsOfASequencerCallItsDecorator() throws InterruptedException {
        FormerUser.CountingSequencer orders =
                new FormerUser.CountingSequencer(waysIn.get(0).createSequencer("orders", EPOCH));

        assertThat(orders.name()).isEqualTo("orders");
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
                .hasMessage("count must be >= 0: -1");
        assertThatThrownBy(() -> orders.next(ids, 4, 6)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void whatADecoratorCannotKnowIsRefusedWithItsName() {
        Snowcast real = waysIn.get(0);
        Snowcast snowcast = new FormerUser.CountingSnowcast(real);
        SnowcastSequencer orders = snowcast.createSequencer("orders", EPOCH);
        SequencerConfig config = SequencerConfig.builder("orders").epoch(EPOCH).build();
        IntegerSequenceConfig integers =
                IntegerSequenceConfig.builder("products").build();
        Map<String, ThrowingCallable> calls = Map.ofEntries(
                entry("layout()", orders::layout),
                entry("epoch()", orders::epoch),
                entry("stats()", orders::stats),
                entry("tryNext()", orders::tryNext),
                entry("nextAsync()", orders::nextAsync),
                entry("sequencers()", snowcast::sequencers),
                entry("integerSequences()", snowcast::integerSequences),
                entry("createSequencer(SequencerConfig)", () -> snowcast.createSequencer(config)),
                entry("addPossibleDuplicatesListener", () -> snowcast.addPossibleDuplicatesListener(found -> {})),
                entry(
                        "addPossibleDuplicateIntegersListener",
                        () -> snowcast.addPossibleDuplicateIntegersListener(found -> {})),
                entry(
                        "removePossibleDuplicatesListener",
                        () -> snowcast.removePossibleDuplicatesListener(UUID.randomUUID())),
                entry("createIntegerSequence", () -> snowcast.createIntegerSequence(integers)),
                entry("resumeIntegerSequence", () -> snowcast.resumeIntegerSequence(integers, 1, Instant.EPOCH)),
                entry(
                        "destroyIntegerSequence",
                        () -> snowcast.destroyIntegerSequence(real.createIntegerSequence(integers))));

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
        SnowcastSequencer orders = waysIn.get(0).createSequencer("orders", EPOCH);
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
