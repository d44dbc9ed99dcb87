// SPDX-License-Identifier: Apache-2.0
/** The client side: the messages that sequencers of a Hazelcast client are kept by. Hazelcast's private SPI is used here. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.client;
