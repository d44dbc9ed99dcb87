// SPDX-License-Identifier: Apache-2.0
/** What members and clients both need of Hazelcast: waiting for answers, logging, metrics. */
@NullMarked
package com.noctarius.snowcast.internal.hazelcast;

import org.jspecify.annotations.NullMarked;
