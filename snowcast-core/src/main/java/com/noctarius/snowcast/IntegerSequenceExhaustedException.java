// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an {@link IntegerSequence} is used up: every integer up to its last value was issued, or reserved by
 * another process. To issue more integers, raise the last value in the store, and in the configuration if it is lower
 * there; or use a sequence of another name with a greater last value.
 */
public class IntegerSequenceExhaustedException extends SnowcastException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the sequence that is used up, with its last value
     * @param cause the cause
     */
    public IntegerSequenceExhaustedException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
