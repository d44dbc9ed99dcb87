// SPDX-License-Identifier: Apache-2.0
/** A test suite for the contract of {@code BlockStore}. */
@NullMarked
package com.noctarius.snowcast.tests.store;

import org.jspecify.annotations.NullMarked;
