// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.metrics;

/**
 * What one or more have done so far, as counts.
 *
 * @param <T> the type itself
 */
public interface Summable<T extends Summable<T>> {
    /** Returns the sum of each. */
    T plus(T other);

    /** Returns the greater one of each. */
    T max(T other);
}
