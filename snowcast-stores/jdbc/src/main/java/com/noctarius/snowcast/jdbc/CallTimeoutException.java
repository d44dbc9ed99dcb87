// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.io.Serial;
import java.sql.SQLTimeoutException;

/**
 * Thrown when a call has taken as long as the call time-out. If the database ends a statement earlier, the driver
 * throws another exception.
 */
final class CallTimeoutException extends SQLTimeoutException {
    @Serial
    private static final long serialVersionUID = 1L;

    CallTimeoutException(String message) {
        super(message);
    }
}
