// SPDX-License-Identifier: Apache-2.0
/** Blocks of integers from Cassandra: two tiers over datacenters, plain and striped. */
@NullMarked
package com.noctarius.snowcast.cassandra;

import org.jspecify.annotations.NullMarked;
