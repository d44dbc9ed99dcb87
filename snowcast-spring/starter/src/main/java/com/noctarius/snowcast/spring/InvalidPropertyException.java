// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Says that a property of Spring Boot has a value that is not allowed, or that the cluster or database refuses. */
final class InvalidPropertyException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String property;
    private final String reason;
    private final String action;

    /**
     * Makes an exception.
     *
     * @param property the full name of the property
     * @param reason what is wrong with it, with the allowed values and the present value
     * @param action the remedy
     */
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
