// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import java.util.Optional;
import java.util.Set;

/** The configuration of an application as text. */
public interface TextProperties {
    /** Returns the value of a property; empty if it has none. */
    Optional<String> get(String name);

    /**
     * Returns the keys directly below a prefix: for {@code snowcast}, for example, {@code jdbc} of
     * {@code snowcast.jdbc.create-tables}. Some of them may be wrong, because the name of an environment variable is
     * ambiguous: {@code SNOWCAST_JDBC_CREATE_TABLES} could also stand for {@code snowcast.jdbc.create.tables}.
     */
    Set<String> keysBelow(String prefix);

    /** Returns the keys directly below a prefix, without those that only environment variables have. */
    Set<String> exactKeysBelow(String prefix);

    /** Returns a key below a prefix in the form in which the application's configuration has it. */
    default String asWritten(String prefix, String key) {
        return key;
    }
}
