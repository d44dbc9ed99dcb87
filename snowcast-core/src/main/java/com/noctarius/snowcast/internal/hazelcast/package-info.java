// SPDX-License-Identifier: Apache-2.0
/** What members and clients both need of Hazelcast: its version and properties, waiting for answers, metrics. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.hazelcast;
