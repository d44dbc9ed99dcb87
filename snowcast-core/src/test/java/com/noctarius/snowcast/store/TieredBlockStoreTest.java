// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Beside the contract suite, which every store passes. */
class TieredBlockStoreTest {
    @Test
    void closeTriesToGiveBackEachRangeAndNeverThrows() {
        List<String> tried = new ArrayList<>();
        BlockStore failing = new BlockStore() {
            @Override
            public Block reserve(String sequence, long size) {
                return Block.of(1, size);
            }

            @Override
            public void giveBack(String sequence, Block rest) {
                tried.add(sequence + ' ' + rest.first() + '-' + rest.last());
                throw new BlockStoreException("no connection");
            }
        };
        BlockStore tier = BlockStore.tiered(failing, 100);
        tier.reserve("a", 10);
        tier.reserve("b", 20);
        Logger logger = Logger.getLogger(BlockStore.class.getName());
        logger.setLevel(Level.OFF);
        try {
            assertThatCode(tier::close).doesNotThrowAnyException();
            assertThat(tried).containsExactlyInAnyOrder("a 11-100", "b 21-100");
        } finally {
            logger.setLevel(null);
        }
    }

    @Test
    void sizesOutOfRangeAreRefused() {
        BlockStore parent = new MemoryBlockStore();
        assertThatThrownBy(() -> BlockStore.tiered(parent, 0))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage("rangeSize must be >= 1: 0");
        assertThatThrownBy(() -> BlockStore.striped(parent, 0))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage("stripes must be >= 1: 0");
    }
}
