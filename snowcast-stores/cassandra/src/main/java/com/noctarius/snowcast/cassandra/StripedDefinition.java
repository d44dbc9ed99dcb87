// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.store.Block;

/** A plain or striped sequence. Integer {@code k} of stripe {@code i} is {@code firstValue + i + k * stripes}. */
record StripedDefinition(long firstValue, long lastValue, int stripes) {
    /** Returns how many integers a stripe has. */
    long count(int stripe) {
        long inAll = lastValue - firstValue;
        return stripe > inAll ? 0 : (inAll - stripe) / stripes + 1;
    }

    /** Returns the index of a stripe's first integer from {@code value} on; {@link #count} if there is none. */
    long firstKFrom(long value, int stripe) {
        long below = value - firstValue - stripe;
        return below <= 0 ? 0 : Math.min((below - 1) / stripes + 1, count(stripe));
    }

    Block block(int stripe, long firstK, long count) {
        return new Block(firstValue + stripe + firstK * stripes, count, stripes);
    }
}
