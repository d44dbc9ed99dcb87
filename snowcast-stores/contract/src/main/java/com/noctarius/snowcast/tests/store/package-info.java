// SPDX-License-Identifier: Apache-2.0
/** The contract of every {@code BlockStore} as a test suite. */
@NullMarked
package com.noctarius.snowcast.tests.store;

import org.jspecify.annotations.NullMarked;
