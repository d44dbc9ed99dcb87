// SPDX-License-Identifier: Apache-2.0
/**
 * Stores that reserve blocks of integers in Cassandra: in two tiers over several datacenters, from one row (plain), or
 * from several rows (striped).
 */
@NullMarked
package com.noctarius.snowcast.cassandra;

import org.jspecify.annotations.NullMarked;
