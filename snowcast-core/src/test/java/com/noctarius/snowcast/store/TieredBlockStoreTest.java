// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

    /** The lowest integer of a stripe that is not below the value, for each: what they give must not be, either. */
    @Test
    void whatAStoreIsAskedBeforeTheFirstBlockIsPassedOn() {
        Map<String, Long> asked = new TreeMap<>();
        BlockStore noting = new BlockStore() {
            @Override
            public Block reserve(String sequence, long size) {
                return Block.of(1, size);
            }

            @Override
            public void prepare(String sequence, long firstValue) {
                asked.put(sequence, firstValue);
            }
        };
        BlockStore.tiered(noting, 100).prepare("a", 7);
        assertThat(asked).isEqualTo(Map.of("a", 7L));
        for (long first : new long[] {0, 1, 8, 9, 10, 11, Long.MAX_VALUE}) {
            asked.clear();
            BlockStore.striped(noting, 4).prepare("b", first);
            assertThat(asked).containsOnlyKeys("b/0", "b/1", "b/2", "b/3");
            for (int stripe = 0; stripe < 4; stripe++) {
                BigInteger of = BigInteger.valueOf(asked.getOrDefault("b/" + stripe, -1L))
                        .shiftLeft(2)
                        .add(BigInteger.valueOf(stripe));
                assertThat(of)
                        .isBetween(
                                BigInteger.valueOf(first),
                                BigInteger.valueOf(first).add(BigInteger.valueOf(3)));
            }
        }
    }

    @Test
    void aStoreInMemoryRefusesAFirstValueAboveItsOwn() {
        BlockStore memory = new MemoryBlockStore(5, 9);
        assertThatCode(() -> memory.prepare("a", 5)).doesNotThrowAnyException();
        assertThatThrownBy(() -> memory.prepare("a", 6))
                .isExactlyInstanceOf(NonTransientBlockStoreException.class)
                .hasMessage("sequence a: the first integer is 5 in MemoryBlockStore{5 to 9}, and must be 6 or above");
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
