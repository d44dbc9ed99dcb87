// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.io.Serial;
import java.sql.SQLTimeoutException;

/**
 * Thrown when a call on a database has not ended within the call time-out, or is not started because earlier calls
 * hang. If the database ends a statement at the statement time-out, the driver throws another exception.
 */
final class CallTimeoutException extends SQLTimeoutException {
    @Serial
    private static final long serialVersionUID = 1L;

    CallTimeoutException(String message) {
        super(message);
    }
}
