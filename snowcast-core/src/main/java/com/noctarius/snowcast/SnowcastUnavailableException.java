// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the cluster or database cannot serve a call at present, but the same call may succeed later. The message
 * says why, and until when if that is known. Examples of reasons:
 *
 * <ul>
 *   <li>There is no quorum, no data member, no connection, or no answer in time.
 *   <li>The cluster waits after a full restart or a loss of data.
 *   <li>A {@link com.hazelcast.cluster.ClusterState} forbids the call.
 *   <li>The thread was interrupted.
 *   <li>A clock shows a time before the epoch of the sequencer, or is too far behind the time at which the lease would
 *       begin.
 * </ul>
 *
 * <p>If the answer was lost, it is unknown whether the request was executed: a node ID may stay reserved for lease +
 * skew. It is safe to call again.
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
