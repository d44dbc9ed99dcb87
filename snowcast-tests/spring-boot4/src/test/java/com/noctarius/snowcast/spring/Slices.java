// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.data.jdbc.test.autoconfigure.DataJdbcTest;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.data.r2dbc.test.autoconfigure.DataR2dbcTest;

/** Test slices of Boot 4. Boot 3 has their annotations in other packages. */
public final class Slices {
    @Retention(RetentionPolicy.RUNTIME)
    @DataJpaTest
    public @interface Jpa {}

    @Retention(RetentionPolicy.RUNTIME)
    @DataJdbcTest
    public @interface Jdbc {}

    @Retention(RetentionPolicy.RUNTIME)
    @DataR2dbcTest
    public @interface R2dbc {}
}
