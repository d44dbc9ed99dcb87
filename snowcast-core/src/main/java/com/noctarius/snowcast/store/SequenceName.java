// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.util.Objects;

/**
 * What the name of a sequencer or an integer sequence may be: 1 to {@value #MAX_LENGTH} characters, all of them
 * Unicode, none a control character, not all of them white space. One rule for configurations, members of a cluster and stores, so that a name that
 * one of them takes is taken by all.
 */
public final class SequenceName {
    /** How many characters a name has at most, as {@link String#length()} counts them. */
    public static final int MAX_LENGTH = 255;

    private SequenceName() {}

    /**
     * Checks a name; every {@link BlockStore} does so before it reserves.
     *
     * @param name any text
     * @return the name
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if {@code name} is blank or too long, has a control character (as {@link
     *     Character#isISOControl(int)} says) or half of a surrogate pair, which no encoding keeps
     */
    public static String require(String name) {
        Objects.requireNonNull(name, "name");
        if (name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("name must have 1 to " + MAX_LENGTH + " characters, not " + name.length()
                    + ": " + name.substring(0, 20).strip() + "…");
        }
        name.codePoints()
                .filter(each -> Character.isISOControl(each) || Character.getType(each) == Character.SURROGATE)
                .findFirst()
                .ifPresent(refused -> {
                    throw new IllegalArgumentException(
                            "name must have neither control characters nor halves of surrogate pairs: "
                                    + String.format("U+%04X at index %d", refused, name.indexOf(refused)));
                });
        if (name.isBlank()) {
            throw new IllegalArgumentException("name must not be blank: \"" + name + '"');
        }
        return name;
    }
}
