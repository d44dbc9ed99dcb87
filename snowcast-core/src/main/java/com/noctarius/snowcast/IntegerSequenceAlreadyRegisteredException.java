// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an {@link IntegerSequence} of that name exists with another definition (first and last value, backup
 * count, whether it has a parent store), or, on the same {@code HazelcastInstance}, with another store.
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

    /**
     * Creates an exception with its cause.
     *
     * @param message what failed, with both definitions
     * @param cause what led to it
     */
    public IntegerSequenceAlreadyRegisteredException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
