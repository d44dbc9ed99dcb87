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
     * {@code snowcast.jdbc.create-tables}.
     */
    Set<String> keysBelow(String prefix);
}
