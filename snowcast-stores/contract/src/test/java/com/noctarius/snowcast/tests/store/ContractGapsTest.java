// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.store;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which missing integers the contract suite accepts. */
class ContractGapsTest {
    /** What a store does with a block that becomes a gap. */
    private enum Gap {
        FAILS,
        REPEATS,
        HIDES
    }

    /** The suite with a store in memory, of which one in 50 blocks becomes a gap. */
    private static final class Suite extends BlockStoreContract {
        private final Gap gap;
        private final Map<String, BlockStore> stores = new ConcurrentHashMap<>();
        private final AtomicInteger calls = new AtomicInteger();
        private final AtomicLong repeated = new AtomicLong();

        Suite(Gap gap) {
            this.gap = gap;
        }

        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            BlockStore store = stores.computeIfAbsent(sequences[0], name -> new MemoryBlockStore(first, last));
            return new BlockStore() {
                @Override
                public Block reserve(String sequence, long size) {
                    Block block = store.reserve(sequence, size);
                    if (calls.incrementAndGet() % 50 != 1) {
                        return block;
                    }
                    if (gap == Gap.FAILS) {
                        throw new BlockStoreException("no answer");
                    }
                    if (gap == Gap.REPEATS) {
                        repeated.incrementAndGet();
                    }
                    return store.reserve(sequence, size);
                }
            };
        }

        @Override
        protected long requestsWithoutAnswer() {
            return repeated.get();
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyRequestsWithoutAnAnswerMayLeaveGaps(Gap gap) {
        if (gap == Gap.HIDES) {
            assertThatThrownBy(() -> new Suite(gap).threadsAndHandlesNeverOverlap())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("integers never came");
        } else {
            assertThatCode(() -> new Suite(gap).threadsAndHandlesNeverOverlap()).doesNotThrowAnyException();
        }
    }
}
