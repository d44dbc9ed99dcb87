// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a database cannot serve as the shard that it is configured as. For example, two addresses were swapped,
 * the number of shards differs, the database belongs to another installation, or its tables are missing. Other reasons
 * are settings that allow the database to lose committed transactions, and committed transactions that it has lost.
 * Retries usually fail until an operator or an agent has corrected this.
 */
public final class ShardMismatchException extends NonTransientBlockStoreException {
    @Serial
    private static final long serialVersionUID = 1L;

    ShardMismatchException(String message) {
        super(message);
    }

    ShardMismatchException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
