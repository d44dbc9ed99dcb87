// SPDX-License-Identifier: Apache-2.0
/** Snowcast on Hazelcast clients: the messages of a client to members. Uses Hazelcast's private SPI. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.client;
