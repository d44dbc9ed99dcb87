// SPDX-License-Identifier: Apache-2.0
/** The member side: service, partition container, operations. Hazelcast's private SPI is used here. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.cluster;
