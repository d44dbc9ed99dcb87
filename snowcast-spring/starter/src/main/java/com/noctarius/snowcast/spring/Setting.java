// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SnowcastException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A setting, which has the same name as a property of Spring Boot and as an attribute in XML. */
interface Setting {
    /** The name of the enum's constant. */
    String name();

    /** Returns the name in properties and XML, such as {@code backup-count}. */
    default String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the allowed values, in words that complete "must be". */
    String allowed();

    /**
     * Passes a value to the API, which may refuse it.
     *
     * @param use the call of the API
     * @return the call's result
     * @throws InvalidSettingException if the API refuses the value; its message says what is wrong with which part
     */
    default <T> T checked(@Nullable Object value, Supplier<T> use) {
        try {
            return use.get();
        } catch (IllegalArgumentException | SnowcastException e) {
            throw new InvalidSettingException(
                    this,
                    "must be " + allowed() + (value == null ? "" : ": " + value) + " (" + e.getMessage() + ")",
                    e);
        }
    }

    /** Uses a value if there is one. */
    default <T> void set(@Nullable T value, Function<T, ?> use) {
        if (value != null) {
            checked(value, () -> use.apply(value));
        }
    }

    /** Returns the value, or fails if there is none. */
    default <T> T required(@Nullable T value, String why) {
        if (value == null) {
            throw new InvalidSettingException(this, "is missing; " + why + " it must be " + allowed(), null);
        }
        return value;
    }

    /** Refuses a value that would have no effect. */
    default void requireAbsent(@Nullable Object value, String why) {
        if (value != null) {
            throw new InvalidSettingException(this, "must not be set " + why + ": " + value, null);
        }
    }

    /** Joins the names of settings, for messages. */
    static String keys(Setting[] settings) {
        return Arrays.stream(settings).map(Setting::key).collect(Collectors.joining(", "));
    }
}
