// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/** The log of Hazelcast and snowcast: on standard error, and only if somebody asks for it. */
final class Logs {
    /** Held, since a logger that nobody holds forgets its level. */
    private static final Logger ROOT = Logger.getLogger("");

    private Logs() {}

    static void configure(boolean isVerbose) {
        if (System.getProperty("hazelcast.logging.type") == null) {
            System.setProperty("hazelcast.logging.type", "jdk");
        }
        System.setProperty("hazelcast.phone.home.enabled", "false");
        ROOT.setLevel(isVerbose ? Level.INFO : Level.OFF);
    }
}
