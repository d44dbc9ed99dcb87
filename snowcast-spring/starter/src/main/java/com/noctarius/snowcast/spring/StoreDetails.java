// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.Map;

/** The health details of stores. An interface, because the classes of each kind of store are optional. */
@FunctionalInterface
interface StoreDetails {
    /** Returns the details by the names of the stores, without stores that have none. Never calls a server. */
    Map<String, Object> details();
}
