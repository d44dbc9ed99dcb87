// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.io.Serial;
import java.sql.SQLTimeoutException;

/** Nobody waits any longer; where a database itself ends a statement, it is another exception. */
final class CallTimeoutException extends SQLTimeoutException {
    @Serial
    private static final long serialVersionUID = 1L;

    CallTimeoutException(String message) {
        super(message);
    }
}
