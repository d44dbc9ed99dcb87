// SPDX-License-Identifier: Apache-2.0
/** Integer sequences: integers of blocks, which are reserved from a store. Knows neither Hazelcast nor leases. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.blocks;
