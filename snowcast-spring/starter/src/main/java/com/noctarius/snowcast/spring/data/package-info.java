// SPDX-License-Identifier: Apache-2.0
/**
 * Support for the sequencers and integer sequences of a Spring context in libraries that store and send data: JPA with
 * Hibernate; Spring Data JDBC, R2DBC and MongoDB; Jackson and springdoc. With Spring Boot, an application does not use
 * this package directly: entities have the annotations of {@link com.noctarius.snowcast.persistence}.
 */
@NullMarked
package com.noctarius.snowcast.spring.data;

import org.jspecify.annotations.NullMarked;
