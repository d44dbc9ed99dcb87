// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.replica.Lifecycle;
import java.time.Instant;
import java.util.List;

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

    Instant epoch() {
        return Instant.ofEpochMilli(epochOffset);
    }

    /** Fails unless an ID of the sequencer of that name can be made at a time since 1970. */
    public void requireTime(String name, long nowMillis) {
        if (epochOffset > nowMillis) {
            throw new SnowcastException("sequencer " + name + ": epoch must not lie in the future (now "
                    + Instant.ofEpochMilli(nowMillis) + "): " + epoch());
        }
        if (idTime(nowMillis) > layout.maxTimestamp()) {
            throw new SnowcastIllegalStateException("sequencer " + name + ": the time of layout " + layout
                    + " is used up; from epoch " + epoch() + " it lasts to "
                    + Instant.ofEpochMilli(epochOffset + layout.maxTimestamp()) + ", not to "
                    + Instant.ofEpochMilli(nowMillis) + ": take another name, with a later epoch or more bits of time");
        }
    }

    @Override
    public List<String> inWords() {
        return List.of("epoch " + epoch(), "layout " + layout, "backup count " + backupCount);
    }
}
