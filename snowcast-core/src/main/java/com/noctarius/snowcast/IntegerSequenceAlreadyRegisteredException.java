// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;

/**
 * Thrown when an {@link IntegerSequence} of that name exists with another definition (first and last value, backup
 * count, whether its ordering is {@link Ordering#CLUSTER}), or, on the same {@code HazelcastInstance}, with another
 * store. The message has the difference. The existing sequence is unchanged.
 */
public class IntegerSequenceAlreadyRegisteredException extends SnowcastException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, with both definitions
     */
    public IntegerSequenceAlreadyRegisteredException(String message) {
        super(message);
    }
}
