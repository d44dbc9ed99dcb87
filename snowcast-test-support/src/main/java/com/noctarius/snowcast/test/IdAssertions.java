// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Entry point of assertions about IDs in the style of AssertJ, which must be on the class path.
 *
 * <pre>{@code
 * assertThatId(order.id(), orders).hasTime(Instant.parse("2026-03-01T12:00:00Z")).hasLogicalNodeId(0);
 * assertThatIds(desk.newOrderIds(100), orders).areUnique().increase();
 * }</pre>
 */
public final class IdAssertions {
    private IdAssertions() {}

    /**
     * {@return assertions about an ID, read with the layout and epoch of a sequencer}
     *
     * @param id the ID
     * @param sequencer the sequencer that should have generated the ID
     * @throws NullPointerException if {@code sequencer} is null
     * @throws IllegalArgumentException if {@code id} has bits beyond those of the layout
     */
    public static IdAssert assertThatId(long id, SnowcastSequencer sequencer) {
        return new IdAssert(SnowflakeId.of(id, sequencer));
    }

    /**
     * {@return assertions about an ID, read with a layout and an epoch}
     *
     * @param id the ID
     * @param layout the layout
     * @param epoch the epoch
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if {@code id} has bits beyond those of the layout
     */
    public static IdAssert assertThatId(long id, SnowcastLayout layout, SnowcastEpoch epoch) {
        return new IdAssert(SnowflakeId.of(id, layout, epoch));
    }

    /**
     * {@return assertions about several IDs, in the order given}
     *
     * @param ids the IDs
     * @param sequencer the sequencer that should have generated the IDs
     * @throws NullPointerException if {@code ids} or {@code sequencer} is null
     * @throws IllegalArgumentException if an ID has bits beyond those of the layout
     */
    public static IdsAssert assertThatIds(long[] ids, SnowcastSequencer sequencer) {
        Objects.requireNonNull(sequencer, "sequencer");
        return new IdsAssert(
                Arrays.stream(ids).mapToObj(id -> SnowflakeId.of(id, sequencer)).toList());
    }

    /**
     * {@return assertions about several IDs, in the order given}
     *
     * @param ids the IDs
     * @param sequencer the sequencer that should have generated the IDs
     * @throws NullPointerException if {@code ids}, an ID or {@code sequencer} is null
     * @throws IllegalArgumentException if an ID has bits beyond those of the layout
     */
    public static IdsAssert assertThatIds(List<Long> ids, SnowcastSequencer sequencer) {
        return assertThatIds(ids.stream().mapToLong(Long::longValue).toArray(), sequencer);
    }
}
