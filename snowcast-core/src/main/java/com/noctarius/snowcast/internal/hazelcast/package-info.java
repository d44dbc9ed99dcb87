// SPDX-License-Identifier: Apache-2.0
/** Code for Hazelcast that members and clients share: its version and properties, waiting for answers, metrics. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.hazelcast;
