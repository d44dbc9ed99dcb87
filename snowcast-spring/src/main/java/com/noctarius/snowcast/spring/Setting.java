// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SnowcastException;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What can be set: by the same name as a property of Spring Boot and as an attribute in XML. */
interface Setting {
    /** Its name in properties and XML. */
    String key();

    /** What it can be, to follow "must be". */
    String allowed();

    /**
     * Returns what comes of a value that the API may refuse: its message then says which part of the value is wrong.
     *
     * @throws InvalidSettingException if it does
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

    /** Returns a value that there has to be. */
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

    /** The names of several, for messages. */
    static String keys(Setting[] settings) {
        return Arrays.stream(settings).map(Setting::key).collect(Collectors.joining(", "));
    }
}
