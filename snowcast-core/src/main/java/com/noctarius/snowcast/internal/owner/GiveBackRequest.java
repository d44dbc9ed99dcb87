// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.store.Block;
import java.util.UUID;

/**
 * Gives back the upper end of a block.
 *
 * @param holder who was given the block; a secret between it and the members
 * @param rest what was not used of the block
 * @param version the pool's last change that the holder knows of: after any other change nothing is taken back
 */
public record GiveBackRequest(String name, long incarnation, UUID holder, Block rest, long version) {
    /** Answered instead of a version: nothing was taken back. */
    public static final long REFUSED = -1;
}
