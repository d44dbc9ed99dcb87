// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.jdbc.DataSourceResolver;
import javax.sql.DataSource;

/** Access to Micronaut's connection pools. A separate class, because the library of the pools is optional. */
final class Pools {
    private Pools() {}

    /**
     * Removes the wrapper of Micronaut Data, if there is one: it provides connections only within transactions of
     * Micronaut Data.
     */
    static DataSource unwrapped(BeanContext beans, DataSource dataSource) {
        return beans.findBean(DataSourceResolver.class)
                .orElse(DataSourceResolver.DEFAULT)
                .resolve(dataSource);
    }
}
