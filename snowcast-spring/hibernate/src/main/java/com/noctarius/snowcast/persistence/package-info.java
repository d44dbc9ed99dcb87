// SPDX-License-Identifier: Apache-2.0
/**
 * Annotations for generated identifiers of entities: {@link com.noctarius.snowcast.persistence.SnowcastId} for IDs of a
 * sequencer, {@link com.noctarius.snowcast.persistence.SnowcastSequence} for integers of an integer sequence. Both work
 * with Hibernate; through snowcast-spring, with Spring Data JDBC, R2DBC and MongoDB; and through snowcast-mybatis, with
 * MyBatis. The first also works with Micronaut Data JDBC, through snowcast-micronaut.
 */
@NullMarked
package com.noctarius.snowcast.persistence;

import org.jspecify.annotations.NullMarked;
