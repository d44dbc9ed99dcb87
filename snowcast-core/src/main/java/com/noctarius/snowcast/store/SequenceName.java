// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import java.util.Objects;
import java.util.Set;

/**
 * Checks the names of sequencers, node leases and integer sequences: a name has 1 to {@value #MAX_LENGTH} characters,
 * and no white space at the beginning or the end. {@link #require} names the characters, such as control characters,
 * that no name may have. Without these rules, two names could look alike, or be equal in a database such as MariaDB,
 * which ignores trailing blanks. Two sequences would then seem to share integers, or share them. Configurations,
 * members and stores apply the same rules, so a name that one of them accepts is accepted by all.
 */
public final class SequenceName {
    /** The maximum length of a name, as {@link String#length()} counts it. */
    public static final int MAX_LENGTH = 255;

    private static final Set<Integer> REFUSED = Set.of(
            (int) Character.CONTROL,
            (int) Character.FORMAT,
            (int) Character.LINE_SEPARATOR,
            (int) Character.PARAGRAPH_SEPARATOR,
            (int) Character.SURROGATE);

    private SequenceName() {}

    /**
     * Checks a name. Every {@link BlockStore} must do so before it reserves a block.
     *
     * @param name any text
     * @return the name
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if {@code name} is blank or too long, begins or ends with white space, has a
     *     control or format character (Unicode's categories Cc and Cf, such as U+202E), a line or paragraph separator
     *     (U+2028, U+2029), or half of a surrogate pair, which encodings such as UTF-8 do not preserve
     */
    public static String require(String name) {
        Objects.requireNonNull(name, "name");
        if (name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("name must have 1 to " + MAX_LENGTH + " characters, not " + name.length()
                    + ": " + name.substring(0, 20).strip() + "…");
        }
        name.codePoints()
                .filter(each -> REFUSED.contains(Character.getType(each)))
                .findFirst()
                .ifPresent(refused -> {
                    throw new IllegalArgumentException("name must have no control, format or line-separating characters"
                            + " and no halves of surrogate pairs: "
                            + String.format("U+%04X at index %d", refused, name.indexOf(refused)));
                });
        if (name.isBlank()) {
            throw new IllegalArgumentException("name must not be blank: \"" + name + '"');
        }
        if (isSpace(name.codePointAt(0)) || isSpace(name.codePointBefore(name.length()))) {
            throw new IllegalArgumentException("name must not begin or end with white space: \"" + name + '"');
        }
        return name;
    }

    private static boolean isSpace(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
    }
}
