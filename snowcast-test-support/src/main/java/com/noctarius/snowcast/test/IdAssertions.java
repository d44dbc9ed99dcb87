// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.util.Arrays;
import java.util.List;

/**
 * Assertions of IDs, in the style of AssertJ, which they need.
 *
 * <pre>{@code
 * assertThatId(order.id(), orders).hasTime(Instant.parse("2026-03-01T12:00:00Z")).hasLogicalNodeId(0);
 * assertThatIds(desk.newOrderIds(100), orders).areUnique().increase();
 * }</pre>
 */
public final class IdAssertions {
    private IdAssertions() {}

    /**
     * {@return assertions of an ID, read by the layout and epoch of a sequencer}
     *
     * @param id the ID
     * @param sequencer the sequencer that it is to be of
     * @throws NullPointerException if {@code sequencer} is null
     */
    public static IdAssert assertThatId(long id, SnowcastSequencer sequencer) {
        return new IdAssert(SnowflakeId.of(id, sequencer));
    }

    /**
     * {@return assertions of an ID, read by a layout and an epoch}
     *
     * @param id the ID
     * @param layout the layout
     * @param epoch the epoch
     * @throws NullPointerException if an argument is null
     */
    public static IdAssert assertThatId(long id, SnowcastLayout layout, SnowcastEpoch epoch) {
        return new IdAssert(SnowflakeId.of(id, layout, epoch));
    }

    /**
     * {@return assertions of several IDs, in their order}
     *
     * @param ids the IDs
     * @param sequencer the sequencer that they are to be of
     * @throws NullPointerException if an argument is null
     */
    public static IdsAssert assertThatIds(long[] ids, SnowcastSequencer sequencer) {
        return new IdsAssert(
                Arrays.stream(ids).mapToObj(id -> SnowflakeId.of(id, sequencer)).toList());
    }

    /**
     * {@return assertions of several IDs, in their order}
     *
     * @param ids the IDs
     * @param sequencer the sequencer that they are to be of
     * @throws NullPointerException if an argument, or an ID, is null
     */
    public static IdsAssert assertThatIds(List<Long> ids, SnowcastSequencer sequencer) {
        return assertThatIds(ids.stream().mapToLong(Long::longValue).toArray(), sequencer);
    }
}
