// SPDX-License-Identifier: Apache-2.0
/** Integer sequences, which reserve blocks of integers in a store. Depends neither on Hazelcast nor on leases. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.blocks;
