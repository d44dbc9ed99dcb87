// SPDX-License-Identifier: Apache-2.0
/**
 * Sequencers and integer sequences of a Spring context for what stores and sends data: JPA with Hibernate, Spring Data JDBC and R2DBC, Jackson.
 * Spring Boot needs nothing of it but the annotations of Spring Data, {@link
 * com.noctarius.snowcast.spring.data.SnowcastId} and {@link com.noctarius.snowcast.spring.data.SnowcastSequence}.
 */
@NullMarked
package com.noctarius.snowcast.spring.data;

import org.jspecify.annotations.NullMarked;
