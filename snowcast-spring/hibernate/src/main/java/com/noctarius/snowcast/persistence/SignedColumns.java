// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.persistence;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Warns, once, of a sequencer whose IDs turn negative while they are stored in signed columns, as {@code BIGINT} is.
 * For what connects {@link SnowcastId} to a library. Thread-safe.
 */
public final class SignedColumns {
    private static final System.Logger LOGGER = System.getLogger(SnowcastId.class.getName());

    /** Weak, since sequencers come and go with contexts. */
    private static final Set<SnowcastSequencer> WARNED_OF =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private SignedColumns() {}

    /**
     * Logs a warning if the sequencer's layout has 64 bits, which no signed column orders in the long run. Once for
     * each sequencer. Does not block.
     *
     * @param sequencer a sequencer whose IDs are stored; one that does not tell its layout is passed over
     * @throws NullPointerException if {@code sequencer} is null
     */
    public static void warnOf(SnowcastSequencer sequencer) {
        if (!WARNED_OF.add(sequencer)) {
            return;
        }
        SnowcastLayout layout;
        Optional<Instant> turnsNegative;
        try {
            layout = sequencer.layout();
            turnsNegative = layout.turnsNegative(sequencer.epoch());
        } catch (UnsupportedOperationException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "a sequencer that does not tell its layout", e);
            return;
        }
        if (turnsNegative.isPresent()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "IDs of the sequencer \"{0}\" turn negative at {1}, and a signed column, as BIGINT is, then sorts new rows"
                            + " before the old ones: its layout, {2}, has 64 bits. A new sequencer can have the layout"
                            + " POSITIVE; one that has issued IDs must keep its own",
                    sequencer.name(),
                    turnsNegative.get().toString(),
                    layout.timestampBits() + "/" + layout.logicalNodeBits() + "/" + layout.counterBits());
        }
    }
}
