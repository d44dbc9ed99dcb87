// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import com.noctarius.snowcast.ids.SnowflakeId;
import java.time.Instant;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about one ID; see {@link IdAssertions}. Each assertion returns this object, or throws an
 * {@link AssertionError}.
 */
public final class IdAssert extends AbstractAssert<IdAssert, SnowflakeId> {
    IdAssert(SnowflakeId id) {
        super(id, IdAssert.class);
    }

    /**
     * Expects the time at which the ID was generated.
     *
     * @param expected the time; parts of a millisecond are ignored
     * @return this
     */
    public IdAssert hasTime(Instant expected) {
        return require(actual.instant().toEpochMilli() == expected.toEpochMilli(), "to have the time <%s>", expected);
    }

    /**
     * Expects that the ID was generated within a period.
     *
     * @param first the first millisecond
     * @param last the last millisecond
     * @return this
     */
    public IdAssert hasTimeBetween(Instant first, Instant last) {
        long millis = actual.instant().toEpochMilli();
        return require(
                first.toEpochMilli() <= millis && millis <= last.toEpochMilli(),
                "to have a time from <%s> to <%s>",
                first,
                last);
    }

    /**
     * Expects the node ID.
     *
     * @param expected the node ID
     * @return this
     */
    public IdAssert hasLogicalNodeId(int expected) {
        return require(actual.logicalNodeId() == expected, "to have the node ID <%s>", expected);
    }

    /**
     * Expects the counter.
     *
     * @param expected the counter
     * @return this
     */
    public IdAssert hasCounter(int expected) {
        return require(actual.counter() == expected, "to have the counter <%s>", expected);
    }

    /**
     * Expects that this ID is greater than another ID of the same layout and epoch, in unsigned order.
     *
     * @param other the other ID
     * @return this
     * @throws IllegalArgumentException if {@code other} has bits beyond those of the layout
     */
    public IdAssert isAfter(long other) {
        SnowflakeId otherId = SnowflakeId.of(other, actual.layout(), actual.epoch());
        return require(Long.compareUnsigned(actual.value(), other) > 0, "to come after <%s> (%s)", other, otherId);
    }

    private IdAssert require(boolean holds, String expectation, Object... arguments) {
        isNotNull();
        if (!holds) {
            Object[] all = new Object[arguments.length + 2];
            all[0] = actual.value();
            all[1] = actual;
            System.arraycopy(arguments, 0, all, 2, arguments.length);
            failWithMessage("Expecting ID <%s> (%s) " + expectation, all);
        }
        return this;
    }
}
