// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Thrown if a Spring Boot property is missing, has no effect, or has a value that is not allowed or cannot be used. */
final class InvalidPropertyException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String property;
    private final String reason;
    private final String action;

    /** The {@code reason} completes a sentence that begins with the property; the {@code action} is the remedy. */
    InvalidPropertyException(String property, String reason, String action, @Nullable Throwable cause) {
        super(property + " " + reason + ". " + action, cause);
        this.property = property;
        this.reason = reason;
        this.action = action;
    }

    String property() {
        return property;
    }

    String reason() {
        return reason;
    }

    String action() {
        return action;
    }
}
