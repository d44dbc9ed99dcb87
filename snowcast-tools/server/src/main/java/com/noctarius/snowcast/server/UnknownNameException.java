// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.io.Serial;

/** Thrown for a name that is not in the configuration of this server, even if the cluster has it. */
final class UnknownNameException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnknownNameException(String what, String name) {
        super("There is no " + what + " " + name + " in the configuration of this server");
    }
}
