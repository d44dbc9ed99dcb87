// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Tests the behaviour of the store in memory that the contract suite of all stores does not cover. */
class MemoryBlockStoreTest {
    @Test
    void aFirstValueAboveItsOwnIsRefused() {
        BlockStore memory = new MemoryBlockStore(5, 9);
        assertThatCode(() -> memory.prepare("a", 5)).doesNotThrowAnyException();
        assertThatThrownBy(() -> memory.prepare("a", 6))
                .isExactlyInstanceOf(NonTransientBlockStoreException.class)
                .hasMessage("sequence a: the first integer is 5 in MemoryBlockStore{5 to 9}, and must be 6 or above");
    }
}
