// SPDX-License-Identifier: Apache-2.0
/**
 * Generates the identifiers of Hibernate's entities that have a {@link com.noctarius.snowcast.persistence.SnowcastId}
 * or {@link com.noctarius.snowcast.persistence.SnowcastSequence}.
 * {@link com.noctarius.snowcast.hibernate.SnowcastSettings} says where the sequencers and integer sequences are found.
 */
@NullMarked
package com.noctarius.snowcast.hibernate;

import org.jspecify.annotations.NullMarked;
