// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a database is not the shard that it is configured as: two addresses were swapped, the number of shards is
 * another one, it is of another installation, the tables are missing, it would lose what it has committed, or has lost it. To
 * try again does not help.
 */
public final class ShardMismatchException extends BlockStoreException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message which shard, what was expected and what was found
     */
    public ShardMismatchException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message which shard, what was expected and what was found
     * @param cause what led to it
     */
    public ShardMismatchException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
