// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.jdbc.DataSourceResolver;
import javax.sql.DataSource;

/** The data sources of Micronaut's own pools, for applications that have them. */
final class Pools {
    private Pools() {}

    /**
     * Returns the pool itself: Micronaut Data wraps it, and the wrapper has connections only within transactions of
     * Micronaut Data.
     */
    static DataSource unwrapped(BeanContext beans, DataSource dataSource) {
        return beans.findBean(DataSourceResolver.class)
                .orElse(DataSourceResolver.DEFAULT)
                .resolve(dataSource);
    }
}
