// SPDX-License-Identifier: Apache-2.0
/** Stores of blocks of integers: the SPI {@link com.noctarius.snowcast.store.BlockStore}, and a store in memory. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.store;
