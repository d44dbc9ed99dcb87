// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.Map;

/** What health tells of stores. Their kinds are optional, so nothing else knows their classes. */
@FunctionalInterface
interface StoreDetails {
    /** By the names of the stores; those that have nothing to tell are not in it. Asks no server. */
    Map<String, Object> details();
}
