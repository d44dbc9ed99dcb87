// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import com.noctarius.snowcast.internal.metrics.Addable;

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
        implements Addable<Totals> {
    static final Totals NOTHING = new Totals(0, 0, 0, 0, 0, 0);

    @Override
    public Totals plus(Totals other) {
        return new Totals(
                issued + other.issued,
                waits + other.waits,
                waitNanos + other.waitNanos,
                extensions + other.extensions,
                extensionFailures + other.extensionFailures,
                refusals + other.refusals);
    }

    @Override
    public Totals max(Totals other) {
        return new Totals(
                Math.max(issued, other.issued),
                Math.max(waits, other.waits),
                Math.max(waitNanos, other.waitNanos),
                Math.max(extensions, other.extensions),
                Math.max(extensionFailures, other.extensionFailures),
                Math.max(refusals, other.refusals));
    }
}
