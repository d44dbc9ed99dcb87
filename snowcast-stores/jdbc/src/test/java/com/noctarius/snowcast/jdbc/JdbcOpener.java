// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.store.BlockStoreOpener;
import java.util.List;

/**
 * Opens the store of a process that a test starts; runs in that process. The first argument is the table, the others
 * are the URLs of the shards.
 */
public final class JdbcOpener implements BlockStoreOpener {
    /** Called in the other process, by reflection. */
    public JdbcOpener() {}

    @Override
    public BlockStore open(List<String> arguments) {
        TestShards shards = TestShards.of(arguments.get(0), arguments.subList(1, arguments.size()));
        return new JdbcBlockStore(shards.pooled());
    }
}
