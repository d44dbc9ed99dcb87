// SPDX-License-Identifier: Apache-2.0
/**
 * Identifiers of Hibernate entities from snowcast: {@link com.noctarius.snowcast.hibernate.SnowcastId} or
 * {@link com.noctarius.snowcast.hibernate.SnowcastSequence} on the identifier,
 * {@link com.noctarius.snowcast.hibernate.SnowcastSettings} for where the sequencers and integer sequences are.
 */
@NullMarked
package com.noctarius.snowcast.hibernate;

import org.jspecify.annotations.NullMarked;
