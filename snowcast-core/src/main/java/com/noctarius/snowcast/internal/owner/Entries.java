// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Replica} knows one by one: the node IDs of a sequencer, the replies of an integer sequence. Not
 * thread-safe.
 *
 * @param <E> the state of an entry
 */
interface Entries<E extends Entries.Entry> {
    /** The state of an entry; of two states of one entry, the one with the higher version is the newer. */
    interface Entry {
        /** Returns the number of the change that made this state. */
        long version();
    }

    /** Returns the present state of the entry that another state is about; null if there is none. */
    @Nullable
    E present(E other);

    /** Takes a state in, in place of the present one of the same entry. */
    void put(E state);

    /** Returns all states, until the next change. */
    List<E> values();

    int size();

    void clear();

    /**
     * Whether a replica that lacks an entry must not become the owner. Then a copy keeps the entries of a former owner
     * when the next one sends something, since it lacks what it gives up; else it forgets those, which the next owner
     * may not have.
     */
    boolean areEssential();
}
