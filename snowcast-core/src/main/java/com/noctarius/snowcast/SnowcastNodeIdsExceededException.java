// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;

/**
 * Thrown when every node ID that a sequencer or node lease may have is in use. The message says how many are attached,
 * how many are expiring, and when the next node ID is free if its holder does not renew the lease. The call has
 * acquired no node ID.
 */
public class SnowcastNodeIdsExceededException extends SnowcastException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, with the offending value and what was allowed
     */
    public SnowcastNodeIdsExceededException(String message) {
        super(message);
    }

    /** Creates an exception that does not name the sequencer. Snowcast itself always gives a message. */
    public SnowcastNodeIdsExceededException() {
        super("all node IDs are in use");
    }
}
