// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.store;

import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;

/** The store in memory, and what can be put before a store. */
class MemoryBlockStoreTest {
    /** What all handles of some sequences share. */
    private static final Map<List<String>, BlockStore> STORES = new ConcurrentHashMap<>();

    private static BlockStore memory(long first, long last, String... sequences) {
        return STORES.computeIfAbsent(Arrays.asList(sequences), names -> new MemoryBlockStore(first, last));
    }

    @Nested
    class Memory extends BlockStoreContract {
        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return memory(first, last, sequences);
        }
    }

    @Nested
    class Tiered extends BlockStoreContract {
        /** Every handle is one, as in another process: what it has of a range is its own until it is closed. */
        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return BlockStore.tiered(memory(first, last, sequences), 333);
        }
    }

    @Nested
    class Striped extends BlockStoreContract {
        private static final int STRIPES = 4;

        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return BlockStore.striped(memory(first / STRIPES, last / STRIPES, sequences), STRIPES);
        }
    }

    @Nested
    class TieredOverStriped extends BlockStoreContract {
        private static final int STRIPES = 8;

        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return BlockStore.tiered(
                    BlockStore.striped(memory(first / STRIPES, last / STRIPES, sequences), STRIPES), 100);
        }
    }

    @Nested
    class StripedOverTiered extends BlockStoreContract {
        private static final int STRIPES = 2;

        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return BlockStore.striped(
                    BlockStore.tiered(memory(first / STRIPES, last / STRIPES, sequences), 50), STRIPES);
        }
    }
}
