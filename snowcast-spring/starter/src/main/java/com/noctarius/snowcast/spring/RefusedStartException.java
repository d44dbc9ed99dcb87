// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown if the application must not start, for a reason other than the value of one property. */
final class RefusedStartException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final String action;

    RefusedStartException(String reason, String action, @Nullable Throwable cause) {
        super(reason + ". " + action, cause);
        this.reason = reason;
        this.action = action;
    }

    String reason() {
        return reason;
    }

    String action() {
        return action;
    }
}
