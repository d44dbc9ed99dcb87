// SPDX-License-Identifier: Apache-2.0
/**
 * Integrations of snowcast with libraries that store or send data: JPA with Hibernate; Spring Data JDBC, R2DBC and
 * MongoDB; Jackson and springdoc. With Spring Boot, applications do not use this package directly; they put the
 * annotations of {@link com.noctarius.snowcast.persistence} on their entities.
 */
@NullMarked
package com.noctarius.snowcast.spring.data;

import org.jspecify.annotations.NullMarked;
