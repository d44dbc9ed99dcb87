// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.peers.History.Caller;
import com.noctarius.snowcast.peers.History.Span;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Creates histories for tests. Times are in seconds from the beginning. */
final class Histories {
    static final long END = 100;

    private Histories() {}

    static long nanos(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    static History of(List<Span> faults, Caller... processes) {
        return new History(0, nanos(END), List.of(processes), faults);
    }

    /**
     * Returns a process that had an ID every half second from a time on, and was killed half a second after the last.
     */
    static Caller process(String name, double from, long... ids) {
        return process(name, false, from, ids);
    }

    static Caller process(String name, boolean isOfCrowd, double from, long... ids) {
        List<Call> calls = IntStream.range(0, ids.length)
                .mapToObj(i -> call(from + i / 2.0, Id.of(ids[i])))
                .toList();
        return new Caller(name, 0, isOfCrowd, nanos(from + ids.length / 2.0), calls);
    }

    static Call call(double at, Id id) {
        return new Call(nanos(at) - 1_000, nanos(at), id);
    }

    static Span fault(Fault fault, double from, double to, int... waiting) {
        return new Span(
                fault,
                "host-0",
                nanos(from),
                nanos(to),
                IntStream.of(waiting).boxed().toList());
    }

    static long[] range(long from, long to) {
        return LongStream.range(from, to).toArray();
    }
}
