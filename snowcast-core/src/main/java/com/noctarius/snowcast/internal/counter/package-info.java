// SPDX-License-Identifier: Apache-2.0
/** The counters of integer sequences, and the requests and answers of their protocol. Knows nothing of Hazelcast. */
@NullMarked
package com.noctarius.snowcast.internal.counter;

import org.jspecify.annotations.NullMarked;
