// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;

/**
 * Thrown when the name is in use with another definition: a sequencer with another epoch, layout, backup count or
 * {@linkplain SequencerConfig.Builder#startAbove start above}, or a node lease with another number of node IDs or
 * backup count; or when the name of one is requested for the other. The message shows the difference. The existing
 * sequencer or node lease is unchanged.
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
