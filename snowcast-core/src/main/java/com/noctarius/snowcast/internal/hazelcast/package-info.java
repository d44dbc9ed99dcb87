// SPDX-License-Identifier: Apache-2.0
/** What members and clients both need of Hazelcast: waiting for answers, logging, metrics. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.hazelcast;
