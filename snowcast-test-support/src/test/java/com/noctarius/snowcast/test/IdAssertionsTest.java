// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import static com.noctarius.snowcast.test.IdAssertions.assertThatId;
import static com.noctarius.snowcast.test.IdAssertions.assertThatIds;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class IdAssertionsTest {
    private static final SnowcastEpoch EPOCH = TestSequencer.EPOCH;
    private static final SnowcastLayout LAYOUT = SnowcastLayout.DEFAULT;
    private static final Instant TIME = Instant.ofEpochMilli(EPOCH.getEpochOffset() + 5_000);

    private final TestSequencer orders = TestSequencer.named("orders");

    private static IdAssert id() {
        return assertThatId(LAYOUT.compose(5_000, 7, 9), LAYOUT, EPOCH);
    }

    private static void assertFails(Consumer<IdAssert> expectation, String message) {
        assertThatThrownBy(() -> expectation.accept(id()))
                .isInstanceOf(AssertionError.class)
                .hasMessage("Expecting ID <41943047177> (2024-01-01T00:00:05.000Z-0007-0009) " + message);
    }

    @Test
    void whatIsTruePasses() {
        id().hasTime(TIME)
                .hasTimeBetween(TIME, TIME)
                .hasLogicalNodeId(7)
                .hasCounter(9)
                .isAfter(41943047176L);
    }

    @Test
    void whatIsFalseFailsWithThePartsOfTheId() {
        assertFails(id -> id.hasTime(TIME.plusMillis(1)), "to have the time <2024-01-01T00:00:05.001Z>");
        assertFails(
                id -> id.hasTimeBetween(TIME.plusMillis(1), TIME.plusMillis(2)),
                "to have a time from <2024-01-01T00:00:05.001Z> to <2024-01-01T00:00:05.002Z>");
        assertFails(
                id -> id.hasTimeBetween(TIME.minusMillis(2), TIME.minusMillis(1)),
                "to have a time from <2024-01-01T00:00:04.998Z> to <2024-01-01T00:00:04.999Z>");
        assertFails(id -> id.hasLogicalNodeId(8), "to have the node ID <8>");
        assertFails(id -> id.hasCounter(8), "to have the counter <8>");
        assertFails(id -> id.isAfter(41943047177L), "to come after <41943047177> (2024-01-01T00:00:05.000Z-0007-0009)");
    }

    @Test
    void aNegativeIdComesAfterAPositiveOne() {
        assertThatId(Long.MIN_VALUE, LAYOUT, EPOCH).isAfter(Long.MAX_VALUE);
        assertThatIds(new long[] {Long.MAX_VALUE, Long.MIN_VALUE}, orders).increase();
    }

    @Test
    @SuppressWarnings("NullAway")
    void sequencerIsRequiredEvenWithoutIds() {
        assertThatThrownBy(() -> assertThatIds(List.of(), null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void ofSeveralTheFirstThatIsWrongIsTold() throws InterruptedException {
        long[] ids = orders.next(3);
        assertThatIds(ids, orders).areUnique().increase().haveLogicalNodeId(0).hasSize(3);
        String first = "<" + ids[0] + "> (2025-01-01T00:00:00.000Z-0000-0000)";
        assertThatThrownBy(() ->
                        assertThatIds(List.of(ids[0], ids[1], ids[0]), orders).areUnique())
                .isInstanceOf(AssertionError.class)
                .hasMessage("Expecting IDs to be unique, but that at <0> is also at <2>: " + first);
        assertThatThrownBy(() -> assertThatIds(List.of(ids[1], ids[0]), orders).increase())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("comes, at <1>, " + first);
        assertThatThrownBy(() -> assertThatIds(List.of(ids[0], ids[0]), orders).increase())
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertThatIds(ids, orders).haveLogicalNodeId(1))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertThatIds(ids, orders).hasSize(2))
                .isInstanceOf(AssertionError.class)
                .hasMessage("Expecting <2> IDs, but there are <3>");
    }
}
