// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the cluster cannot serve at present: it is below the quorum of its split-brain protection, has no data
 * members yet, cannot be reached by this client, gives no answer in time, or does not know yet where grants may begin,
 * after its start or after a partition has lost its data; or its {@link com.hazelcast.cluster.ClusterState} does not let
 * it, until an administrator changes that. Also thrown while a clock shows a time before the epoch of the sequencer, as
 * that of a machine that has just booted can. The same call may succeed later.
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
