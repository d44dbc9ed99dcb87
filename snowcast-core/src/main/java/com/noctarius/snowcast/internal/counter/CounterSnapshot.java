// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable copy of a {@link BlockCounter}, or of as much of it as a replica is to have.
 *
 * @param definition null if the sequence was never created, as far as is known
 * @param destroyedUpTo the highest incarnation that was destroyed
 * @param destroyed what destroyed incarnations may have handed out
 * @param lostSinceMillis when what was handed out was lost; 0 if it is known
 * @param version the number of the last change
 * @param answersSince answers of lower versions are not given again
 * @param value null for a replica beyond the backup count
 * @param answers some or all of the last answers
 */
public record CounterSnapshot(
        String name,
        @Nullable CounterDefinition definition,
        long incarnation,
        long destroyedUpTo,
        DestroyedValues destroyed,
        long lostSinceMillis,
        long version,
        long answersSince,
        @Nullable CounterValue value,
        List<Answer> answers) {

    /** Returns the number of synchronous backups, also of a destroyed sequence. */
    public int backupCount() {
        return definition == null ? 0 : definition.backupCount();
    }

    /** Whether the sequence exists. */
    boolean isAlive() {
        return definition != null && incarnation > destroyedUpTo;
    }

    /** Returns what a replica is to have of it. */
    public CounterSnapshot forReplica(int replicaIndex) {
        boolean isWithin = definition == null || replicaIndex <= definition.backupCount();
        return isWithin || value == null
                ? this
                : new CounterSnapshot(
                        name,
                        definition,
                        incarnation,
                        destroyedUpTo,
                        destroyed,
                        lostSinceMillis,
                        version,
                        answersSince,
                        null,
                        List.of());
    }
}
