// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.store.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a holder was given last: for the case that it asks again, and so that it can give back only what it was given.
 *
 * @param requestNumber the request that the last block was given for
 * @param blocks what it was given since the pool last changed for another holder, oldest first, and has not given back
 * @param version the number of the pool's change behind it
 */
public record RememberedReply(UUID holder, long requestNumber, List<Block> blocks, long version)
        implements Entries.Entry {
    /** Of more blocks the older ones are a gap when their holder ends. */
    private static final int MAX_BLOCKS = 8;

    public RememberedReply {
        blocks = List.copyOf(blocks);
    }

    /** Returns the reply to the next request of the holder; {@code last} is the last change before it. */
    static RememberedReply after(
            @Nullable RememberedReply former, ReserveRequest request, Block block, long last, long version) {
        List<Block> before = former != null && former.version == last ? former.blocks : List.of();
        return new RememberedReply(
                request.holder(), request.requestNumber(), OwnerHistory.newest(before, block, MAX_BLOCKS), version);
    }

    Block block() {
        return blocks.get(blocks.size() - 1);
    }

    /** Whether the upper end of a block is one that the holder was given. */
    boolean contains(Block rest) {
        return blocks.stream().anyMatch(block -> isUpperEnd(block, rest));
    }

    private static boolean isUpperEnd(Block block, Block rest) {
        return rest.step() == block.step() && rest.last() == block.last() && rest.first() >= block.first();
    }

    /** The holder has given the upper end of a block back. */
    RememberedReply without(Block rest, long newVersion) {
        List<Block> left = new ArrayList<>();
        for (Block block : blocks) {
            if (!isUpperEnd(block, rest)) {
                left.add(block);
            } else if (rest.count() < block.count()) {
                left.add(block.part(0, block.count() - rest.count()));
            }
        }
        return new RememberedReply(holder, requestNumber, left, newVersion);
    }
}
