// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Sends the logs of Hazelcast and snowcast to standard error if the user asks for them. */
final class Logs {
    /** This reference is strong, because a logger that is garbage-collected loses its level. */
    private static final Logger ROOT = Logger.getLogger("");

    private static final Logger CLIENT = Logger.getLogger("com.hazelcast.client");

    private Logs() {}

    /** A running search of the log. */
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
     * Runs an action whenever a member refuses a client because its cluster has another name or requires credentials.
     * Hazelcast only logs this, and retries until the time-out.
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
