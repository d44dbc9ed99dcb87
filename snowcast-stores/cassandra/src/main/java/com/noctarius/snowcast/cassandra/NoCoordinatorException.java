// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.Serial;

/** No node of the datacenter can be asked: nothing was sent. */
final class NoCoordinatorException extends DriverException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean isForEver;

    /**
     * Says why there is none.
     *
     * @param isForEver whether that will never change, since the session is closed
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
