// SPDX-License-Identifier: Apache-2.0
/** The member side: service, partition containers, operations. Uses Hazelcast's private SPI. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.cluster;
