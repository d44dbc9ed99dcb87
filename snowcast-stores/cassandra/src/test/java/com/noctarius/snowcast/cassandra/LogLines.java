// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records the warnings that the Cassandra stores log, until it is closed. */
final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger(CassandraBlockStore.class.getName());
    private final List<String> lines = new CopyOnWriteArrayList<>();

    LogLines() {
        logger.addHandler(this);
    }

    List<String> warnings() {
        return lines;
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getLevel().equals(Level.WARNING)) {
            lines.add(line.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
