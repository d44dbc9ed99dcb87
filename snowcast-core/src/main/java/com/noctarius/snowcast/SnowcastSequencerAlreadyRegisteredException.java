// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;

/**
 * Thrown when a sequencer of that name exists with another definition: epoch, layout, backup count or
 * {@linkplain SequencerConfig.Builder#startAbove start above}. The message shows the difference. The existing sequencer
 * is unchanged.
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
