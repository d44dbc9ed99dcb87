// SPDX-License-Identifier: Apache-2.0
/** An example that takes integers from Cassandra. */
@NullMarked
package com.noctarius.snowcast.examples.cassandra;

import org.jspecify.annotations.NullMarked;
