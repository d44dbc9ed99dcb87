// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import java.util.List;

/**
 * A kind of work that a partition thread does for snowcast in one piece. The work is counted per JVM, because an
 * operation that arrives has no reference to a counter of its member. In these runs, each member has its own JVM.
 */
final class Piece {
    static final Piece MAKING = new Piece("making a copy");
    static final Piece WRITING = new Piece("writing a copy");
    static final Piece TAKING = new Piece("reading and joining a copy");
    static final Piece MOVING = new Piece("begin or end of a migration, promotion");
    static final Piece REQUEST = new Piece("a request and sending its backups");
    static final List<Piece> ALL = List.of(MAKING, WRITING, TAKING, MOVING, REQUEST);

    private final String title;
    private long count;
    private long nanos;
    private long mostNanos;
    private long cpuNanos;
    private long mostCpuNanos;

    private Piece(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    synchronized void add(Span span) {
        count++;
        nanos += span.nanos();
        mostNanos = Math.max(mostNanos, span.nanos());
        cpuNanos += span.cpuNanos();
        mostCpuNanos = Math.max(mostCpuNanos, span.cpuNanos());
    }

    synchronized void reset() {
        count = 0;
        nanos = 0;
        mostNanos = 0;
        cpuNanos = 0;
        mostCpuNanos = 0;
    }

    /** Returns the count, the longest and total elapsed time, and the longest and total CPU time, in microseconds. */
    synchronized double[] counted() {
        return new double[] {count, mostNanos / 1e3, nanos / 1e3, mostCpuNanos / 1e3, cpuNanos / 1e3};
    }
}
