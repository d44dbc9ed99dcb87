// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a call cannot succeed before an operator changes configuration, tables or privileges: for example, if a
 * sequence is not defined or begins below the configured first value, if tables are missing, or if the user is unknown.
 * The message says what to do.
 */
public class NonTransientBlockStoreException extends BlockStoreException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what is wrong, with sequence and store, and what to do
     */
    public NonTransientBlockStoreException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what is wrong, with sequence and store, and what to do
     * @param cause what led to it
     */
    public NonTransientBlockStoreException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
