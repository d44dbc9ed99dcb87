// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.io.Serial;

/**
 * Thrown when the store has no integer of a sequence left. Usually, calling again helps only after an operator has
 * raised the last integer of the sequence in the store.
 */
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
