// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

import com.noctarius.snowcast.store.Block;

/**
 * Gives back the upper end of a block.
 *
 * @param rest of which no integer was used
 * @param version the counter's state when the holder last heard of it: in any other it takes nothing back
 */
public record GiveBackRequest(String name, long incarnation, Block rest, long version) {
    /** Answered instead of a version: nothing was taken back. */
    public static final long REFUSED = -1;
}
