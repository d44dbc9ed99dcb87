// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Records the warnings that a class logs until this object is closed. */
public final class Warnings extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> all = new CopyOnWriteArrayList<>();

    private Warnings(Logger logger) {
        this.logger = logger;
    }

    /**
     * Begins to record.
     *
     * @param type the class
     * @return an object to be closed
     */
    public static Warnings of(Class<?> type) {
        Warnings warnings = new Warnings(Logger.getLogger(type.getName()));
        warnings.logger.addHandler(warnings);
        return warnings;
    }

    /**
     * Returns the messages, in their order.
     *
     * @return a list to which later messages are added
     */
    public List<String> all() {
        return all;
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
            all.add(new SimpleFormatter().formatMessage(entry));
        }
    }

    @Override
    public void flush() {
        // Messages are not buffered.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
