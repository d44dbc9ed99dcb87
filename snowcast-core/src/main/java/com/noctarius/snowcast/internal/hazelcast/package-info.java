// SPDX-License-Identifier: Apache-2.0
/** Code that members and clients share: the version of Hazelcast, properties, answers, holder IDs, metrics. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.hazelcast;
