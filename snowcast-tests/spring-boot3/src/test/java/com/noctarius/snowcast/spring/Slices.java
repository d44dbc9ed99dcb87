// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.test.autoconfigure.data.jdbc.DataJdbcTest;
import org.springframework.boot.test.autoconfigure.data.r2dbc.DataR2dbcTest;
import org.springframework.boot.test.autoconfigure.orm.jpa.DataJpaTest;

/** Test slices of Boot 3. Boot 4 has their annotations in other packages. */
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
