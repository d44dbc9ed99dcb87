// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of the exceptions that sequencers, node leases, integer sequences and {@link Snowcast} throw when the
 * cluster, a clock or the state of the object does not allow a call. For most wrong arguments, methods throw
 * {@link IllegalArgumentException}, {@link NullPointerException} or {@link ArithmeticException} instead. A block store
 * throws {@link com.noctarius.snowcast.store.BlockStoreException}, which is not a {@code SnowcastException}; a call of
 * an integer sequence that gets a {@code BlockStoreException} throws a {@code SnowcastException} with the
 * {@code BlockStoreException} as its cause.
 */
public class SnowcastException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, with the offending value and what was allowed
     */
    public SnowcastException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what failed, with the offending value and what was allowed
     * @param cause what led to it
     */
    public SnowcastException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Creates an exception with the message of its cause.
     *
     * @param cause what led to it
     */
    public SnowcastException(@Nullable Throwable cause) {
        super(cause);
    }
}
