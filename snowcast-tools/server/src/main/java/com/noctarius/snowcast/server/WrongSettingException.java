// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.io.Serial;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Stops the start of the server with a message that names an invalid setting and says what to do. */
final class WrongSettingException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String action;

    WrongSettingException(String property, String reason, String action) {
        super("The property " + property + " " + reason);
        this.action = action;
    }

    /** Makes Boot print the message without a stack trace. */
    static final class Analyzer extends AbstractFailureAnalyzer<WrongSettingException> {
        @Override
        protected FailureAnalysis analyze(Throwable failure, WrongSettingException wrong) {
            return new FailureAnalysis(String.valueOf(wrong.getMessage()), wrong.action, failure);
        }
    }
}
