// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;

/**
 * Thrown when the name is in use with another definition. A sequencer of the name has another epoch, layout, backup
 * count or {@linkplain SequencerConfig.Builder#startAbove start above}; a node lease of the name has another number of
 * node IDs or backup count; the name of a sequencer is requested for a node lease, or the reverse; or the
 * {@link Snowcast} has an open {@link IntegerSequence} of the name with another first value, last value or store. The
 * message shows the difference. The existing object is unchanged.
 */
public class SnowcastSequencerAlreadyRegisteredException extends SnowcastException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, with the offending value and what was allowed
     */
    public SnowcastSequencerAlreadyRegisteredException(String message) {
        super(message);
    }
}
