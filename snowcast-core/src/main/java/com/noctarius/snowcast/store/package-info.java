// SPDX-License-Identifier: Apache-2.0
/** Stores of blocks of integers: the SPI, and what can be put before any store. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.store;
