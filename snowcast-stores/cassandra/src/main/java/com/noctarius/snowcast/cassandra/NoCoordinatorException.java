// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.Serial;

/** Thrown if the driver knows no node of the datacenter that is up, or the session is closed. */
final class NoCoordinatorException extends DriverException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean isForEver;

    /**
     * Creates the exception.
     *
     * @param message why there is no coordinator
     * @param isForEver true if the session is closed, so that a retry cannot succeed
     */
    NoCoordinatorException(String message, boolean isForEver) {
        super(message, null, null, true);
        this.isForEver = isForEver;
    }

    boolean isForEver() {
        return isForEver;
    }

    @Override
    public DriverException copy() {
        return new NoCoordinatorException(String.valueOf(getMessage()), isForEver);
    }
}
