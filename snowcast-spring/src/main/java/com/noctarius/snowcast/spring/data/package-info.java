// SPDX-License-Identifier: Apache-2.0
/**
 * Sequencers of a Spring context for what stores and sends data: JPA with Hibernate, Spring Data JDBC and R2DBC, Jackson.
 * Spring Boot needs nothing of it but the annotation {@link com.noctarius.snowcast.spring.data.SnowcastId} of Spring Data.
 */
@NullMarked
package com.noctarius.snowcast.spring.data;

import org.jspecify.annotations.NullMarked;
