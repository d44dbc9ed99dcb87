// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.store.BlockStore;

/** What {@link IntegerSequences} needs of a sequence besides its API. Thread-safe. */
interface RegisteredSequence extends IntegerSequence {
    IntegerSequenceConfig config();

    @Override
    default String name() {
        return config().name();
    }

    BlockStore store();

    /** Fails if the store will never serve this sequence. Whether the store can be reached, the first call shows. */
    void prepare();

    /** Whether the sequence was created in its store: the cluster knows it, or a store of its own did not refuse it. */
    boolean isCreated();

    @Override
    default void close() {
        close("it was closed");
    }

    /** Closes the sequence; gives what is left of its blocks back, which may block. */
    void close(String reason);

    /** Gives up the integers in hand and those of a reservation under way, which other processes may have, too. */
    void discard();
}
