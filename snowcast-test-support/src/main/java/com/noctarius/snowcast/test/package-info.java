// SPDX-License-Identifier: Apache-2.0
/**
 * Sequencers and integer sequences for unit tests, with predictable IDs and integers. They need neither a cluster, a
 * clock nor a store. {@link com.noctarius.snowcast.test.TestIds} has JUnit create them, and
 * {@link com.noctarius.snowcast.test.IdAssertions} checks IDs.
 */
@NullMarked
package com.noctarius.snowcast.test;

import org.jspecify.annotations.NullMarked;
