// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

/** Halves what has passed since a clock was last read, and loses nothing to rounding if it is read very often. Not thread-safe. */
public final class HalfRate {
    /** What has passed and was not halved yet: 0 or 1. */
    private long restMillis;

    /** Returns half of it, never more than all: by so much a time may be set back that must not run back. */
    public long halfOf(long elapsedMillis) {
        long passedMillis = restMillis + elapsedMillis;
        restMillis = passedMillis % 2;
        return passedMillis / 2;
    }
}
