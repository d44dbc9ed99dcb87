// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A counter two cache lines away from the fields of its subclass: calls read those while other threads count. It is
 * part of the object, so that a call needs no further read to find it.
 */
@SuppressWarnings({"serial", "unused"})
abstract class PaddedCounter extends AtomicLong {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
}
