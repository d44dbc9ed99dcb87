// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import org.jspecify.annotations.Nullable;

/**
 * A call for an ID. The times before and after the call are from {@code System.nanoTime()}, which all processes of a
 * machine share, and which no fault changes. The ID is null if the call threw.
 */
record Call(long before, long after, @Nullable Id id) {}
