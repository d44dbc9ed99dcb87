// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import com.hazelcast.logging.ILogger;
import com.noctarius.snowcast.internal.sequencer.Log;
import org.jspecify.annotations.Nullable;

/**
 * Logs where Hazelcast does.
 *
 * @param logger Hazelcast's
 */
public record HazelcastLog(ILogger logger) implements Log {
    @Override
    public void info(String message) {
        logger.info(message);
    }

    @Override
    public void warning(String message, @Nullable Throwable cause) {
        logger.warning(message, cause);
    }
}
