// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A {@code System.Logger} that logs through Spring's logging, which still works while the JVM shuts down. The JDK's own
 * logging stops when the shutdown begins. This class does not leave the choice of the logging to the JDK: in an
 * executable jar of Spring Boot, the JDK finds only its own logging.
 */
final class SpringLogger implements System.Logger {
    private final String name;
    private final Log log;

    SpringLogger(Class<?> type) {
        name = type.getName();
        log = LogFactory.getLog(type);
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(Level level) {
        return switch (level) {
            case ALL, TRACE -> log.isTraceEnabled();
            case DEBUG -> log.isDebugEnabled();
            case INFO -> log.isInfoEnabled();
            case WARNING -> log.isWarnEnabled();
            case ERROR -> log.isErrorEnabled();
            case OFF -> false;
        };
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable cause) {
        switch (level) {
            case ALL, TRACE -> log.trace(message, cause);
            case DEBUG -> log.debug(message, cause);
            case INFO -> log.info(message, cause);
            case WARNING -> log.warn(message, cause);
            case ERROR -> log.error(message, cause);
            case OFF -> {}
        }
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, String format, Object... parameters) {
        log(level, bundle, MessageFormat.format(format, parameters), (Throwable) null);
    }
}
