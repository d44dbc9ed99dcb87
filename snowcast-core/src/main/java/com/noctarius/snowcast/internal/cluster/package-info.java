// SPDX-License-Identifier: Apache-2.0
/** Snowcast on members: the service, the containers of partitions, the operations. Uses Hazelcast's private SPI. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.cluster;
