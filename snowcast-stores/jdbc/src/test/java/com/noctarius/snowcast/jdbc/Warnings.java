// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Records the log messages of a class until this object is closed. */
final class Warnings extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> all = new CopyOnWriteArrayList<>();

    private Warnings(Logger logger) {
        this.logger = logger;
    }

    static Warnings of(Class<?> type) {
        Warnings warnings = new Warnings(Logger.getLogger(type.getName()));
        warnings.logger.addHandler(warnings);
        return warnings;
    }

    List<String> all() {
        return all;
    }

    @Override
    public void publish(LogRecord record) {
        all.add(new SimpleFormatter().formatMessage(record));
    }

    @Override
    public void flush() {
        // Records are not buffered.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
