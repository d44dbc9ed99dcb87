// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import org.jspecify.annotations.Nullable;

/**
 * A call for an ID. Its times are from {@code System.nanoTime()}, which all processes of a machine share and no fault
 * changes.
 *
 * @param before the time before the call
 * @param after the time after the call
 * @param id the returned ID; null if the call threw
 */
record Call(long before, long after, @Nullable Id id) {}
