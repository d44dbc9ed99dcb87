// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a call of a store failed, or the store's answer was lost. If a reservation failed, it is safe to call
 * again, and the message names the sequence and the store. If the lost answer was a block, its integers are a gap.
 */
public class BlockStoreException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed; for a reservation, with sequence, size and store
     */
    public BlockStoreException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what failed; for a reservation, with sequence, size and store
     * @param cause what led to it
     */
    public BlockStoreException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
