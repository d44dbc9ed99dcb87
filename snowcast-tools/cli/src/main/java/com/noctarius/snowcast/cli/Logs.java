// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Sends the log of Hazelcast and snowcast to standard error, and only if the user asks for it. */
final class Logs {
    /** A strong reference, because a logger that is garbage-collected loses its level. */
    private static final Logger ROOT = Logger.getLogger("");

    private static final Logger CLIENT = Logger.getLogger("com.hazelcast.client");

    private Logs() {}

    /** A search of the log, which ends when it is closed. */
    interface Watch {
        void end();
    }

    static void configure(boolean isVerbose) {
        if (System.getProperty("hazelcast.logging.type") == null) {
            System.setProperty("hazelcast.logging.type", "jdk");
        }
        System.setProperty("hazelcast.phone.home.enabled", "false");
        ROOT.setLevel(isVerbose ? Level.INFO : Level.OFF);
        CLIENT.setLevel(isVerbose ? Level.INFO : Level.WARNING);
        CLIENT.setUseParentHandlers(isVerbose);
    }

    /**
     * Runs an action whenever a member refuses a client, because its cluster has another name or requires credentials.
     * Hazelcast only logs the refusal, and retries until the time-out.
     */
    static Watch onRefusal(String client, Runnable action) {
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                String text = entry.getMessage() + " " + entry.getThrown();
                if (text.contains(client) && text.contains("AuthenticationException")) {
                    action.run();
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        CLIENT.addHandler(handler);
        return () -> CLIENT.removeHandler(handler);
    }
}
