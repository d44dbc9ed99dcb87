// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;

/**
 * Thrown when {@link Snowcast#resumeIntegerSequence} is called for an integer sequence that was not lost: the cluster
 * has the record of what was handed out. Nothing was changed. {@link Snowcast#createIntegerSequence} opens it.
 */
public class IntegerSequenceNotLostException extends SnowcastIllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message why there is nothing to resume
     */
    public IntegerSequenceNotLostException(String message) {
        super(message);
    }
}
