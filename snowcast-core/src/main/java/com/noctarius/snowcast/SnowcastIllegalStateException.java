// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a clock, a layout, a definition or the state of the cluster does not allow a call. The message says which
 * values were rejected, which are allowed, and what to do.
 *
 * <ul>
 *   <li>Its subclass {@link SnowcastUnavailableException}: the cluster cannot serve at present. Call again later.
 *   <li>The clock of this process is too far ahead of cluster time or behind it. Correct the clock, then call again.
 *   <li>The time of the layout is used up. Or IDs above {@linkplain SequencerConfig.Builder#startAbove start above}, or
 *       above the IDs of a destroyed sequencer of the name, would lie too far in the future. Change the definition.
 *   <li>The configured node ID range has no node ID that fits the layout. Change the range.
 * </ul>
 *
 * <p>The call has returned no ID, but a call that fills an array may have filled a part of it. The call has acquired no
 * node ID, unless the answer of the cluster was lost: see {@code SnowcastUnavailableException}.
 */
public class SnowcastIllegalStateException extends SnowcastException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what failed, with the offending value and what was allowed
     */
    public SnowcastIllegalStateException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message what failed, with the offending value and what was allowed
     * @param cause what led to it
     */
    public SnowcastIllegalStateException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
