// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.internal.replica.Lifecycle;
import com.noctarius.snowcast.store.Block;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * What all instances of an integer sequence agree on.
 *
 * @param hasParent whether blocks are cut from ranges of a parent store; else from all integers of the sequence
 * @param isInClusterOrder whether all instances hand out integers in the order of calls in the cluster; then none has a
 *     parent store
 */
public record PoolDefinition(
        long firstValue, long lastValue, int backupCount, boolean hasParent, boolean isInClusterOrder)
        implements Lifecycle.BackedUp {
    public PoolDefinition {
        if (lastValue < firstValue) {
            throw new IllegalArgumentException(
                    "lastValue must be at least firstValue, " + firstValue + ": " + lastValue);
        }
        if (hasParent && isInClusterOrder) {
            throw new IllegalArgumentException("parentStore must not be set with Ordering.CLUSTER");
        }
    }

    static PoolDefinition of(IntegerSequenceConfig config, IntSupplier defaultBackupCount) {
        int backups = config.store() == null ? config.backupCount().orElseGet(defaultBackupCount) : 0;
        boolean isInClusterOrder = config.ordering() == Ordering.CLUSTER;
        return new PoolDefinition(
                config.firstValue(), config.lastValue(), backups, config.parentStore() != null, isInClusterOrder);
    }

    /** Returns the ranges that a life begins with, above all that was handed out before; none with a parent store. */
    List<Block> openAbove(long taken) {
        if (hasParent) {
            return List.of();
        }
        // A block has at most Long.MAX_VALUE integers; of all there are, the last one is left out.
        long last = lastValue - taken - 1 == Long.MAX_VALUE ? lastValue - 1 : lastValue;
        return List.of(Block.of(taken + 1, last));
    }

    @Override
    public List<String> inWords() {
        return List.of(
                "first value " + firstValue,
                "last value " + lastValue,
                "backup count " + backupCount,
                (hasParent ? "with" : "without") + " a parent store",
                "ordering " + (isInClusterOrder ? "CLUSTER" : "STRICT"));
    }
}
