// SPDX-License-Identifier: Apache-2.0
/**
 * Sequencers and integer sequences for unit tests: their IDs and integers are known beforehand, and neither a cluster,
 * a clock nor a store is behind them. {@link com.noctarius.snowcast.test.TestIds} has JUnit make them, and
 * {@link com.noctarius.snowcast.test.IdAssertions} says what is expected of IDs.
 */
@NullMarked
package com.noctarius.snowcast.test;

import org.jspecify.annotations.NullMarked;
