// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import java.util.Optional;
import java.util.Set;

/** The configuration of an application. */
public interface TextProperties {
    /** Returns the value of a property; empty if it has none. */
    Optional<String> get(String name);

    /** Returns the next parts of the names that begin with this prefix and a point. */
    Set<String> keysBelow(String prefix);
}
