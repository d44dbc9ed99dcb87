// SPDX-License-Identifier: Apache-2.0
/**
 * The SPI {@link com.noctarius.snowcast.store.BlockStore}, which reserves blocks of integers, and a store in memory.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.store;
