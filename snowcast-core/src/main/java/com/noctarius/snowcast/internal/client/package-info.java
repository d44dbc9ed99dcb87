// SPDX-License-Identifier: Apache-2.0
/** The client side: messages by which a Hazelcast client keeps its sequencers. Uses Hazelcast's private SPI. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.client;
