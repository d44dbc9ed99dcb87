// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.store;

import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

class MemoryBlockStoreTest extends BlockStoreContract {
    /** The stores by their sequences. All handles of the same sequences share one store. */
    private static final Map<List<String>, BlockStore> STORES = new ConcurrentHashMap<>();

    @Override
    protected boolean needsDefinitions() {
        return false;
    }

    @Override
    protected BlockStore open(long first, long last, String... sequences) {
        return STORES.computeIfAbsent(Arrays.asList(sequences), names -> new MemoryBlockStore(first, last));
    }
}
