// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.jdbc.DataSourceResolver;
import javax.sql.DataSource;

/** Access to Micronaut's connection pools. A separate class, because the library of the pools is optional. */
final class Pools {
    private Pools() {}

    /** Returns the pool behind Micronaut Data's wrapper, which provides connections only within its transactions. */
    static DataSource unwrapped(BeanContext beans, DataSource dataSource) {
        return beans.findBean(DataSourceResolver.class)
                .orElse(DataSourceResolver.DEFAULT)
                .resolve(dataSource);
    }
}
