// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The test slices of Boot 4. Boot 3 has their annotations in other packages. */
public final class Slices {
    private Slices() {}

    @Retention(RetentionPolicy.RUNTIME)
    @org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest
    public @interface DataJpaTest {}

    @Retention(RetentionPolicy.RUNTIME)
    @org.springframework.boot.data.jdbc.test.autoconfigure.DataJdbcTest
    public @interface DataJdbcTest {}

    @Retention(RetentionPolicy.RUNTIME)
    @org.springframework.boot.data.r2dbc.test.autoconfigure.DataR2dbcTest
    public @interface DataR2dbcTest {}
}
