// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;

/** Thrown when the maximum number of node IDs is outside 128 to 8,192. */
public class SnowcastMaxLogicalNodeIdOutOfBoundsException extends SnowcastException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, with the offending value and what was allowed
     */
    public SnowcastMaxLogicalNodeIdOutOfBoundsException(String message) {
        super(message);
    }
}
