// SPDX-License-Identifier: Apache-2.0
/**
 * Gives the sequencers and integer sequences of a Spring context to the libraries that store and send data: JPA with
 * Hibernate, Spring Data JDBC and R2DBC, Jackson. With Spring Boot an application needs nothing of this package:
 * entities have the annotations of {@link com.noctarius.snowcast.persistence}.
 */
@NullMarked
package com.noctarius.snowcast.spring.data;

import org.jspecify.annotations.NullMarked;
