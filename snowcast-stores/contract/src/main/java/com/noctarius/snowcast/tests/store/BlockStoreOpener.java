// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.store;

import com.noctarius.snowcast.store.BlockStore;
import java.util.List;

/** Opens a store in another process. Has a public constructor without parameters. */
@FunctionalInterface
public interface BlockStoreOpener {
    /**
     * Opens the store.
     *
     * @param arguments what tells the process where the store is
     * @return the store
     * @throws Exception if it cannot be opened; the process then ends
     */
    BlockStore open(List<String> arguments) throws Exception;
}
