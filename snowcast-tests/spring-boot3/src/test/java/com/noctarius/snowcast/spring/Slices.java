// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The test slices of Boot 3. Boot 4 has their annotations in other packages. */
public final class Slices {
    private Slices() {}

    @Retention(RetentionPolicy.RUNTIME)
    @org.springframework.boot.test.autoconfigure.orm.jpa.DataJpaTest
    public @interface DataJpaTest {}

    @Retention(RetentionPolicy.RUNTIME)
    @org.springframework.boot.test.autoconfigure.data.jdbc.DataJdbcTest
    public @interface DataJdbcTest {}

    @Retention(RetentionPolicy.RUNTIME)
    @org.springframework.boot.test.autoconfigure.data.r2dbc.DataR2dbcTest
    public @interface DataR2dbcTest {}
}
