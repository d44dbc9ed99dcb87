// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.store.Block;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request.
 *
 * @param incarnation which incarnation of the sequence the holder belongs to from now on
 * @param block what is the holder's; null if it asked for nothing
 * @param version the pool's change that made this reservation, for giving it back
 */
public record Reservation(long incarnation, @Nullable Block block, long version) {}
