// SPDX-License-Identifier: Apache-2.0
/** The member side: service, partition container, operations. Hazelcast's private SPI is used here. */
@NullMarked
package com.noctarius.snowcast.internal.cluster;

import org.jspecify.annotations.NullMarked;
