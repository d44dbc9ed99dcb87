// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.util.Comparator;
import java.util.UUID;

/** An ID of 64 or 128 bits, ordered as an unsigned number. */
record Id(long high, long low) implements Comparable<Id> {
    private static final Comparator<Id> ORDER =
            Comparator.comparing(Id::high, Long::compareUnsigned).thenComparing(Id::low, Long::compareUnsigned);

    static Id of(long id) {
        return new Id(0, id);
    }

    static Id of(UUID id) {
        return new Id(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    @Override
    public int compareTo(Id other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return high == 0 ? Long.toUnsignedString(low) : new UUID(high, low).toString();
    }
}
