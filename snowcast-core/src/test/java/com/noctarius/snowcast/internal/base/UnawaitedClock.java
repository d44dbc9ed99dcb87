// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

/** A clock for tests in which no thread waits. */
public interface UnawaitedClock extends Clock {
    @Override
    default long nanos() {
        return millis() * 1_000_000;
    }

    @Override
    default void parkUntil(long millis) {
        throw new AssertionError("nothing has to wait");
    }

    @Override
    default void parkNanos(long nanos) {
        throw new AssertionError("nothing has to wait");
    }
}
