// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;

/**
 * Thrown when a {@link Snowcast} already has an open {@link IntegerSequence} of the requested name with another first
 * value, last value or store. The message shows the difference. The existing sequence is unchanged.
 */
public class IntegerSequenceAlreadyRegisteredException extends SnowcastException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, with both definitions
     */
    public IntegerSequenceAlreadyRegisteredException(String message) {
        super(message);
    }
}
