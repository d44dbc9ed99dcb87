// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.persistence;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import java.time.Instant;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Logs a warning, once for each sequencer, if the sequencer's IDs will turn negative in a signed column such as
 * {@code BIGINT}. Use this class to add support for {@link SnowcastId} to a library. Thread-safe.
 */
public final class SignedColumns {
    private static final System.Logger LOGGER = System.getLogger(SnowcastId.class.getName());

    /** The references are weak, so that the sequencers of closed application contexts can be garbage-collected. */
    private static final Set<SnowcastSequencer> WARNED_OF =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private SignedColumns() {}

    /**
     * Logs a warning, once for each sequencer, if the sequencer's layout has 64 bits. Its IDs will turn negative, and a
     * signed column sorts negative IDs before the positive ones, which are older. Does not block.
     *
     * @param sequencer a sequencer whose IDs are stored; a sequencer that does not support {@code layout} is ignored
     * @throws NullPointerException if {@code sequencer} is null
     */
    public static void warnOf(SnowcastSequencer sequencer) {
        if (!WARNED_OF.add(Objects.requireNonNull(sequencer, "sequencer"))) {
            return;
        }
        SnowcastLayout layout;
        Optional<Instant> turnsNegative;
        try {
            layout = sequencer.layout();
            turnsNegative = layout.turnsNegative(sequencer.epoch());
        } catch (UnsupportedOperationException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "a sequencer does not support layout()", e);
            return;
        }
        if (turnsNegative.isPresent()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "IDs of the sequencer \"{0}\" turn negative at {1}, and a signed column such as BIGINT then sorts new rows"
                            + " before the old ones: its layout, {2}, has 64 bits. A new sequencer can have the layout"
                            + " POSITIVE; one that has issued IDs must keep its own",
                    sequencer.name(),
                    turnsNegative.get().toString(),
                    layout.timestampBits() + "/" + layout.logicalNodeBits() + "/" + layout.counterBits());
        }
    }
}
