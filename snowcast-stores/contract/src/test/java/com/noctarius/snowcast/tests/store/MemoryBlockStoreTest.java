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

    abstract static class InMemory extends BlockStoreContract {
        @Override
        protected boolean needsDefinitions() {
            return false;
        }
    }

    @Nested
    class Memory extends InMemory {
        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return memory(first, last, sequences);
        }
    }

    @Nested
    class Tiered extends InMemory {
        /** Every handle is one, as in another process: what it has of a range is its own until it is closed. */
        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return BlockStore.tiered(memory(first, last, sequences), 333);
        }
    }

    @Nested
    class Striped extends InMemory {
        private static final int STRIPES = 4;

        @Override
        protected int stripes() {
            return STRIPES;
        }

        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return BlockStore.striped(memory(first / STRIPES, last / STRIPES, sequences), STRIPES);
        }
    }

    @Nested
    class TieredOverStriped extends InMemory {
        private static final int STRIPES = 8;

        @Override
        protected int stripes() {
            return STRIPES;
        }

        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return BlockStore.tiered(
                    BlockStore.striped(memory(first / STRIPES, last / STRIPES, sequences), STRIPES), 100);
        }
    }

    @Nested
    class StripedOverTiered extends InMemory {
        private static final int STRIPES = 2;

        @Override
        protected int stripes() {
            return STRIPES;
        }

        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return BlockStore.striped(
                    BlockStore.tiered(memory(first / STRIPES, last / STRIPES, sequences), 50), STRIPES);
        }
    }
}
