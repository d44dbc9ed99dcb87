// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import com.noctarius.snowcast.ids.SnowflakeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about several IDs; see {@link IdAssertions}. Each assertion returns this object, or throws an
 * {@link AssertionError}.
 */
public final class IdsAssert extends AbstractAssert<IdsAssert, List<SnowflakeId>> {
    IdsAssert(List<SnowflakeId> ids) {
        super(ids, IdsAssert.class);
    }

    /**
     * Expects that there are no duplicate IDs.
     *
     * @return this
     */
    public IdsAssert areUnique() {
        Map<SnowflakeId, Integer> positions = new HashMap<>();
        for (int position = 0; position < actual.size(); position++) {
            Integer before = positions.putIfAbsent(actual.get(position), position);
            if (before != null) {
                failWithMessage(
                        "Expecting IDs to be unique, but that at <%s> is also at <%s>: <%s> (%s)",
                        before, position, actual.get(position).value(), actual.get(position));
            }
        }
        return this;
    }

    /**
     * Expects that each ID is greater than the one before it, in unsigned order, like the IDs of one sequencer.
     *
     * @return this
     */
    public IdsAssert increase() {
        for (int position = 1; position < actual.size(); position++) {
            SnowflakeId before = actual.get(position - 1);
            SnowflakeId id = actual.get(position);
            if (id.compareTo(before) <= 0) {
                failWithMessage(
                        "Expecting IDs to increase, but after <%s> (%s) comes, at <%s>, <%s> (%s)",
                        before.value(), before, position, id.value(), id);
            }
        }
        return this;
    }

    /**
     * Expects that all IDs have the given node ID.
     *
     * @param expected the node ID
     * @return this
     */
    public IdsAssert haveLogicalNodeId(int expected) {
        actual.forEach(id -> new IdAssert(id).hasLogicalNodeId(expected));
        return this;
    }

    /**
     * Expects the given number of IDs.
     *
     * @param expected the number
     * @return this
     */
    public IdsAssert hasSize(int expected) {
        if (actual.size() != expected) {
            failWithMessage("Expecting <%s> IDs, but there are <%s>", expected, actual.size());
        }
        return this;
    }
}
