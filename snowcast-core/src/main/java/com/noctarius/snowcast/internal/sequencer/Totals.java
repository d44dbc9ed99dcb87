// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import com.noctarius.snowcast.internal.metrics.Summable;
import java.util.function.LongBinaryOperator;

/**
 * What one or more sequencers have done so far.
 *
 * @param issued IDs
 * @param waits calls that waited
 * @param waitNanos how long, all together
 * @param extensions extensions of a lease
 * @param extensionFailures extensions that were asked for in vain
 * @param refusals logical nodes that were lost
 */
record Totals(long issued, long waits, long waitNanos, long extensions, long extensionFailures, long refusals)
        implements Summable<Totals> {
    static final Totals NOTHING = new Totals(0, 0, 0, 0, 0, 0);

    @Override
    public Totals plus(Totals other) {
        return with(other, Long::sum);
    }

    @Override
    public Totals max(Totals other) {
        return with(other, Math::max);
    }

    private Totals with(Totals other, LongBinaryOperator each) {
        return new Totals(
                each.applyAsLong(issued, other.issued),
                each.applyAsLong(waits, other.waits),
                each.applyAsLong(waitNanos, other.waitNanos),
                each.applyAsLong(extensions, other.extensions),
                each.applyAsLong(extensionFailures, other.extensionFailures),
                each.applyAsLong(refusals, other.refusals));
    }
}
