// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log of Hazelcast and snowcast: on standard error, and only if the user asks for it. */
final class Logs {
    /** Held, since a logger without a reference forgets its level. */
    private static final Logger ROOT = Logger.getLogger("");

    private static final Logger CLIENT = Logger.getLogger("com.hazelcast.client");

    private Logs() {}

    /** Something that is looked for in the log. */
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
     * Runs an action whenever a member refuses the client of that name: its cluster has another name, or wants
     * credentials. Hazelcast logs that only, and tries again until the time is over.
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
