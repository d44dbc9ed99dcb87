// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;

/** What a holder requests of the {@link LeaseKeeper} of its instance. Thread-safe; does not block. */
interface Keeper {
    /**
     * Reports that an attach request has found its incarnation destroyed; all incarnations before it are destroyed,
     * too.
     */
    default void destroyed(GrantHolder holder, long incarnation) {}

    /** Requests a check of the holders soon, because one of them needs a renewal or another grant. */
    default void requestCheck() {}

    /** Returns the object through which a holder's grants request their renewal. */
    Renewer renewerOf(GrantHolder holder);
}
