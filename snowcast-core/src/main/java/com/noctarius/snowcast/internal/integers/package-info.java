// SPDX-License-Identifier: Apache-2.0
/**
 * Integer sequences: the pool, which the owner of a name's partition cuts blocks from, with the requests and replies of its
 * protocol; and the holder, which hands the integers of its blocks out. Knows nothing of Hazelcast.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.integers;
