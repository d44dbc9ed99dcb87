// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * A qualifier for the {@code DataSource} bean that snowcast uses in place of the application's {@code DataSource}. The
 * application's transactions may hold all connections of its pool while they wait for integers. In that case, declare a
 * {@code DataSource} with this qualifier, for example a pool of two connections.
 */
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface SnowcastDataSource {}
