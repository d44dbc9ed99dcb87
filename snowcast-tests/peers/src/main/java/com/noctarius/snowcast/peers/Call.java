// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import org.jspecify.annotations.Nullable;

/**
 * A call for an ID, and the times before and after it, from {@code System.nanoTime()}, which all processes of a machine
 * share and no fault changes. The ID is null if the call threw.
 */
record Call(long before, long after, @Nullable Id id) {}
