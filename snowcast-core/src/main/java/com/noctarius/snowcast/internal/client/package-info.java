// SPDX-License-Identifier: Apache-2.0
/** The client side: the messages that sequencers of a Hazelcast client are kept by. Hazelcast's private SPI is used here. */
@NullMarked
package com.noctarius.snowcast.internal.client;

import org.jspecify.annotations.NullMarked;
