// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.replica.Lifecycle;

/**
 * What all instances of a sequencer have to agree on.
 *
 * @param epochOffset the epoch in milliseconds since 1970
 * @param backupCount the number of synchronous backups of the sequencer's table, 0 to 6
 */
public record Definition(long epochOffset, SnowcastLayout layout, int backupCount) implements Lifecycle.BackedUp {
    /** Returns a moment in ID time; of an epoch so far in the past that it overflows, time beyond every layout. */
    long idTime(long millis) {
        long idTime = millis - epochOffset;
        return epochOffset < 0 && idTime < millis ? Long.MAX_VALUE : idTime;
    }
}
