// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import org.jspecify.annotations.Nullable;

/**
 * A call for an ID, with the times of a clock that all processes of a machine share and no fault sets.
 *
 * @param before nanoseconds before the call
 * @param after nanoseconds after it
 * @param id what it returned; null if it threw
 */
record Call(long before, long after, @Nullable Id id) {}
