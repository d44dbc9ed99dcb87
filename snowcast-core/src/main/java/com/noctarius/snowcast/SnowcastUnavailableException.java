// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the cluster cannot serve at present, and may later without anybody changing anything: it is below the
 * quorum of its split-brain protection, has no data members yet, gives no answer in time, or does not know yet where
 * grants may begin, after its start or after a partition has lost its data. The same call may succeed later.
 */
public class SnowcastUnavailableException extends SnowcastIllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception with its cause.
     *
     * @param message what failed, and until when if that is known
     * @param cause what led to it
     */
    public SnowcastUnavailableException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
