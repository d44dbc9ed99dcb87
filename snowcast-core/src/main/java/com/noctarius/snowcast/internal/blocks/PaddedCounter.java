// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A counter that shares no cache line with the fields of its subclass, which a thread reads after it has incremented
 * the counter, while other threads already invalidate the counter's cache line.
 */
@SuppressWarnings({"serial", "unused"})
abstract class PaddedCounter extends AtomicLong {
    private long p1;
    private long p2;
    private long p3;
    private long p4;
    private long p5;
    private long p6;
    private long p7;
    private long p8;
}
