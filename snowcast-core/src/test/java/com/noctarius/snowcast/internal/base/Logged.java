// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import com.noctarius.snowcast.IntegerSequence;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures what snowcast logs about integer sequences through {@code java.util.logging}, which it uses by default. */
public final class Logged {
    private Logged() {}

    /**
     * Returns the messages that the logger of {@link IntegerSequence} receives during an action, with their levels, and
     * keeps them off the console.
     */
    public static List<String> during(Runnable action) {
        Logger logger = Logger.getLogger(IntegerSequence.class.getName());
        List<String> messages = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                messages.add(record.getLevel() + " " + record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            action.run();
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
        return messages;
    }
}
