// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.table.Confirmations.Asked;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConfirmationsTest {
    private static final UUID FIRST = new UUID(0, 1);
    private static final UUID SECOND = new UUID(0, 2);
    private static final long START_NANOS = Long.MAX_VALUE - 1_000; // it overflows

    private final Confirmations confirmations = new Confirmations();

    private static Asked at(int version, long millis, long monotonicMillis) {
        return new Asked(version, millis, START_NANOS + TimeUnit.MILLISECONDS.toNanos(monotonicMillis));
    }

    @Test
    void eachMemberCountsOnceForTenSeconds() {
        confirmations.add(FIRST, at(1, 0, 0));
        confirmations.add(FIRST, at(1, 5_000, 5_000));
        confirmations.add(SECOND, at(1, 0, 0));
        assertThat(confirmations.count(at(1, 10_000, 10_000))).isEqualTo(2);
        assertThat(confirmations.count(at(1, 10_001, 10_001))).isEqualTo(1);
        assertThat(confirmations.count(at(1, 15_001, 15_001))).isZero();
    }

    @Test
    void theClockThatMovedFurtherDecides() {
        confirmations.add(FIRST, at(1, 0, 0));
        assertThat(confirmations.count(at(1, -1_000_000, 10_001)))
                .as("the wall clock was set back")
                .isZero();
        assertThat(confirmations.count(at(1, 10_001, 0)))
                .as("a machine was suspended, and its monotonic clock with it")
                .isZero();
    }

    @Test
    void aConfirmationThatComesLateDoesNotReplaceAYoungerOne() {
        confirmations.add(FIRST, at(1, 5_000, 5_000));
        confirmations.add(FIRST, at(1, 0, 0));
        assertThat(confirmations.count(at(1, 15_000, 15_000))).isEqualTo(1);
    }

    @Test
    void whatWasAskedUnderAnotherListOfMembersDoesNotCount() {
        confirmations.add(FIRST, at(1, 0, 0));
        assertThat(confirmations.count(at(2, 0, 0))).isZero();
        confirmations.add(FIRST, at(2, 1, 1));
        assertThat(confirmations.count(at(2, 1, 1))).isEqualTo(1);
    }

    @Test
    void membersThatAreGoneAreForgotten() {
        confirmations.add(FIRST, at(1, 0, 0));
        confirmations.add(SECOND, at(1, 0, 0));
        confirmations.retain(Set.of(SECOND));
        assertThat(confirmations.count(at(1, 0, 0))).isEqualTo(1);
    }
}
