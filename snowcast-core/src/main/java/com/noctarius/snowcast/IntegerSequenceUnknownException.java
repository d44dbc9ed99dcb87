// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;

/**
 * Thrown when {@link Snowcast#resumeIntegerSequence} is called for a name under which the cluster has no integer
 * sequence, while it has lost nothing. None was created. After a restart of the whole cluster, create the sequence with
 * a first value above all integers in use.
 */
public class IntegerSequenceUnknownException extends SnowcastIllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message why there is nothing to resume
     */
    public IntegerSequenceUnknownException(String message) {
        super(message);
    }
}
