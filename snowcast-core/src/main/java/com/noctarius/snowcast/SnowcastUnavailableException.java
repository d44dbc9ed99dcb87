// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the cluster cannot serve at present, and the same call may succeed later: no quorum, no data member, no
 * connection, no answer in time, a wait after a full restart or a loss of data, a
 * {@link com.hazelcast.cluster.ClusterState} that forbids it, or a clock that shows a time before the epoch of the
 * sequencer. The message says why, and until when if that is known.
 *
 * <p>After a lost answer it is unknown whether the cluster executed the request: a node ID may stay reserved for lease
 * + skew, or integers may be lost as a gap. It is safe to call again.
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
