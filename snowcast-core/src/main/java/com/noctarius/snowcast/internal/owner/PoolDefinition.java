// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Ordering;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * What all instances of an integer sequence agree on.
 *
 * @param isInClusterOrder whether all instances hand out integers in the order of calls in the cluster
 */
public record PoolDefinition(long firstValue, long lastValue, int backupCount, boolean isInClusterOrder)
        implements Lifecycle.BackedUp {
    public PoolDefinition {
        if (lastValue < firstValue) {
            throw new IllegalArgumentException(
                    "lastValue must be at least firstValue, " + firstValue + ": " + lastValue);
        }
    }

    public static PoolDefinition of(IntegerSequenceConfig config, IntSupplier defaultBackupCount) {
        int backups = config.store() == null ? config.backupCount().orElseGet(defaultBackupCount) : 0;
        boolean isInClusterOrder = config.ordering() == Ordering.CLUSTER;
        return new PoolDefinition(config.firstValue(), config.lastValue(), backups, isInClusterOrder);
    }

    @Override
    public List<String> inWords() {
        return List.of(
                "first value " + firstValue,
                "last value " + lastValue,
                "backup count " + backupCount,
                "ordering " + (isInClusterOrder ? "CLUSTER" : "STRICT"));
    }
}
