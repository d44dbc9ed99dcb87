// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.Map;

/**
 * The health details of one kind of store. It is an interface, because the library of each kind of store is an optional
 * dependency.
 */
@FunctionalInterface
interface StoreDetails {
    /** Returns the details with the names of the stores as keys. Never calls a server. */
    Map<String, Object> details();
}
