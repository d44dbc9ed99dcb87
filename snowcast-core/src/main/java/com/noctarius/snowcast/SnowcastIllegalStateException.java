// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a clock, a layout or the state of the cluster makes an ID impossible: time beyond the layout's last
 * millisecond, a clock further from cluster time than allowed, a partition whose data was lost and that still waits.
 */
public class SnowcastIllegalStateException extends SnowcastException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, with the offending value and what was allowed
     */
    public SnowcastIllegalStateException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what failed, with the offending value and what was allowed
     * @param cause what led to it
     */
    public SnowcastIllegalStateException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
