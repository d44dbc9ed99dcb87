// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * A qualifier for the {@code DataSource} bean that snowcast uses in place of the application's {@code DataSource}.
 * Declare such a {@code DataSource}, for example with a pool of two connections, if transactions of the application may
 * hold all connections of the application's pool while the transactions wait for integers.
 */
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface SnowcastDataSource {}
