// SPDX-License-Identifier: Apache-2.0
/**
 * Hibernate generators for the identifiers of entities with {@link com.noctarius.snowcast.persistence.SnowcastId} or
 * {@link com.noctarius.snowcast.persistence.SnowcastSequence}. The settings are in
 * {@link com.noctarius.snowcast.hibernate.SnowcastSettings}.
 */
@NullMarked
package com.noctarius.snowcast.hibernate;

import org.jspecify.annotations.NullMarked;
