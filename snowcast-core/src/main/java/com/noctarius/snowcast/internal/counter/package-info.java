// SPDX-License-Identifier: Apache-2.0
/** The counters of integer sequences, and the requests and replies of their protocol. Knows nothing of Hazelcast. */
@NullMarked
package com.noctarius.snowcast.internal.counter;

import org.jspecify.annotations.NullMarked;
