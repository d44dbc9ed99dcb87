// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Qualifies a {@code DataSource} bean that Boot gives to snowcast in place of the application's: such as a pool of two
 * connections, where transactions of the application may hold all connections of its pool and ask for integers.
 */
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface SnowcastDataSource {}
