// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an {@link IntegerSequence} is used up: its reserved integers were issued, and the store gives no more
 * integers up to the last value. To issue more integers, raise the last value: in the store, in the configuration, or
 * in both, because the lower of the two values applies. Or use a sequence of another name with a greater last value.
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
