// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the maximum number of logical nodes is outside 128 to 8,192.
 */
public class SnowcastMaxLogicalNodeIdOutOfBoundsException extends SnowcastException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, with the offending value and what was allowed
     */
    public SnowcastMaxLogicalNodeIdOutOfBoundsException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what failed, with the offending value and what was allowed
     * @param cause what led to it
     */
    public SnowcastMaxLogicalNodeIdOutOfBoundsException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
