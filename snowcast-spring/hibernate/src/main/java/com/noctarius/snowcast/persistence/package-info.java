// SPDX-License-Identifier: Apache-2.0
/**
 * Generated identifiers of entities: {@link com.noctarius.snowcast.persistence.SnowcastId} for IDs of a sequencer,
 * {@link com.noctarius.snowcast.persistence.SnowcastSequence} for integers of an integer sequence. The same two
 * annotations serve Hibernate and, with snowcast-spring, Spring Data JDBC and R2DBC.
 */
@NullMarked
package com.noctarius.snowcast.persistence;

import org.jspecify.annotations.NullMarked;
