// SPDX-License-Identifier: Apache-2.0
/** Tests of stores in Cassandra, on real nodes. */
@NullMarked
package com.noctarius.snowcast.cassandra;

import org.jspecify.annotations.NullMarked;
