// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.Map;

/** The health details of stores. Kinds of stores are optional, so health does not refer to their classes. */
@FunctionalInterface
interface StoreDetails {
    /** Returns the details by the names of the stores, without stores that have none. Asks no server. */
    Map<String, Object> details();
}
