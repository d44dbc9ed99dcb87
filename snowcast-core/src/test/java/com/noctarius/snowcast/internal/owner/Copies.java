// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/** Copies of pools, as backups have them. */
final class Copies {
    private Copies() {}

    static IntegerPool of(Snapshot<PoolDefinition, RememberedReply> snapshot) {
        IntegerPool copy = new IntegerPool(snapshot.name());
        copy.join(snapshot);
        return copy;
    }
}
