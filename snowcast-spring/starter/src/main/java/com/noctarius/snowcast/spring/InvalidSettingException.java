// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a setting is missing or not allowed; the code that catches the exception adds the name of the property or
 * XML element.
 */
final class InvalidSettingException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Setting setting;
    private final String reason;

    InvalidSettingException(Setting setting, @Nullable Object value) {
        this(setting, "must be " + setting.allowed() + (value == null ? "" : ": " + value), null);
    }

    InvalidSettingException(Setting setting, String reason, @Nullable Throwable cause) {
        super(reason, cause);
        this.setting = setting;
        this.reason = reason;
    }

    Setting setting() {
        return setting;
    }

    String reason() {
        return reason;
    }
}
