// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.io.Serial;

/** Thrown when a sequence has no integer left in the store: its last one was reserved. Calling again does not help. */
public class BlockStoreExhaustedException extends BlockStoreException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the message, with sequence, last integer and store
     */
    public BlockStoreExhaustedException(String message) {
        super(message);
    }
}
