// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.noctarius.snowcast.SnowcastException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The properties whose names begin with a prefix. */
record Section(String prefix, TextProperties properties) {
    private static final Pattern SHORT_DURATION = Pattern.compile("(\\d+)(ms|s|m|h|d)");

    Section below(String key) {
        return new Section(nameOf(key), properties);
    }

    String nameOf(String key) {
        return prefix + "." + key;
    }

    /**
     * Returns the keys of the groups below this one. Ignores the variables that Kubernetes sets for Services: a key that
     * only environment variables have must have a value of one of the known properties.
     */
    Set<String> keysOfGroups(List<String> known) {
        Set<String> keys = new TreeSet<>(properties.exactKeysBelow(prefix));
        properties.keysBelow(prefix).stream()
                .filter(key ->
                        known.stream().anyMatch(name -> below(key).text(name).isPresent()))
                .forEach(keys::add);
        return keys;
    }

    /**
     * Throws if there is an unknown property, because it would have no effect. Ignores environment variables, which
     * Kubernetes may have set for a Service such as {@code snowcast-hazelcast}.
     */
    void requireKnown(List<String> known) {
        for (String key : properties.exactKeysBelow(prefix)) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(
                        "there is no property " + nameOf(key) + "; there are " + String.join(", ", known));
            }
        }
    }

    Optional<String> text(String key) {
        return properties.get(nameOf(key)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /**
     * Returns the value of a property.
     *
     * @param allowed a description of the allowed values that completes "must be"
     * @param value parses the text, or throws if it is not allowed
     */
    <T> Optional<T> get(String key, String allowed, Function<String, T> value) {
        return text(key).map(text -> checked(nameOf(key), allowed, text, value));
    }

    /** Applies a function to the value of a property. Throws as {@link #get} does if the function rejects the value. */
    static <T> T checked(String property, String allowed, String text, Function<String, T> value) {
        try {
            return value.apply(text);
        } catch (IllegalArgumentException | DateTimeParseException | ArithmeticException | SnowcastException e) {
            throw new IllegalArgumentException(
                    property + " must be " + allowed + ": " + text + " (" + e.getMessage() + ")", e);
        }
    }

    /**
     * Passes the value of a property to a consumer, if there is a value. Throws as {@link #get} does if the consumer
     * rejects the value.
     */
    void set(String key, String allowed, Consumer<String> use) {
        Optional<Boolean> unused = get(key, allowed, text -> {
            use.accept(text);
            return true;
        });
    }

    boolean flag(String key) {
        return get(key, "true or false", text -> switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new IllegalArgumentException("neither of them");
                })
                .orElse(false);
    }

    /** Returns the name of the constant for a text: {@code RANDOM} for {@code random}. */
    static String constant(String text) {
        return text.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    static Duration duration(String text) {
        Matcher parts = SHORT_DURATION.matcher(text);
        if (!parts.matches()) {
            return Duration.parse(text);
        }
        long count = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }
}
