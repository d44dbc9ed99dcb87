// SPDX-License-Identifier: Apache-2.0
/** Integers from Cassandra. */
@NullMarked
package com.noctarius.snowcast.examples.cassandra;

import org.jspecify.annotations.NullMarked;
