// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.store;

import com.noctarius.snowcast.store.BlockStore;
import java.util.List;

/**
 * Opens the store in a process that a contract test has started; runs in that process. An implementation has a public
 * constructor without parameters.
 */
@FunctionalInterface
public interface BlockStoreOpener {
    /**
     * Opens the store.
     *
     * @param arguments the address of the store, in a form that the implementation chooses
     * @return the store
     * @throws Exception if the store cannot be opened; the process that calls this method then ends
     */
    BlockStore open(List<String> arguments) throws Exception;
}
