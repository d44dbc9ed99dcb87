// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the calls of a ledger, and the faults, as a history for Jepsen. The format is that of {@code history.edn},
 * with one operation per line (see docs/dev/long-runs.md). The system property {@code snowcast.history} sets the
 * directory. Without this property, nothing is written. Thread-safe.
 */
final class History {
    /**
     * The maximum number of IDs per call. In Jepsen, a process has one operation at a time, so each ID of a call gets
     * its own process.
     */
    private static final int PROCESSES_EACH = 1_000;

    private final Queue<Operation> faults = new ConcurrentLinkedQueue<>();

    /** Lines of the history with the same time. The time and the index of each line are added when it is written. */
    private record Operation(long nanos, Supplier<Stream<String>> lines) {}

    static Optional<Path> directory() {
        return Optional.ofNullable(System.getProperty("snowcast.history")).map(Path::of);
    }

    /** Records the beginning or the end of a fault. The caller calls this method for both. */
    void fault(String thread, String kind, String what) {
        String f = kind.toLowerCase(Locale.ROOT).replace('_', '-');
        faults.add(new Operation(System.nanoTime(), () -> Stream.of(operation("info", ':' + thread, f, quoted(what)))));
    }

    /** Writes the file of a run, if histories are enabled. */
    void write(String run, Ledger ledger) {
        directory().ifPresent(directory -> write(directory.resolve(run.toLowerCase(Locale.ROOT) + ".edn.gz"), ledger));
    }

    void write(Path file, Ledger ledger) {
        List<Operation> all = new ArrayList<>(faults);
        ledger.tell((name, log, call, ids) -> {
            all.add(new Operation(call.beganNanos(), () -> generate("invoke", log, name, ids, id -> "nil")));
            all.add(new Operation(call.returnedNanos(), () -> generate("ok", log, name, ids, History::number)));
        });
        // The sort is stable, so a thread's operations with the same time keep their order.
        all.sort(Comparator.comparing(Operation::nanos));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            try (Writer out = new BufferedWriter(new OutputStreamWriter(
                    new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
                long index = 0;
                for (Operation each : all) {
                    for (String line : each.lines.get().toList()) {
                        out.write("{:index " + index + ", :time " + (each.nanos - all.get(0).nanos) + line + "}\n");
                        index++;
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> generate(String type, int log, String name, long[] ids, LongFunction<String> result) {
        return IntStream.range(0, ids.length)
                .mapToObj(i -> operation(
                        type,
                        Integer.toString(log * PROCESSES_EACH + i),
                        "generate",
                        '[' + quoted(name) + ' ' + result.apply(ids[i]) + ']'));
    }

    private static String operation(String type, String process, String f, String value) {
        return ", :type :" + type + ", :process " + process + ", :f :" + f + ", :value " + value;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Returns a number in EDN, where integers above the range of a signed 64-bit number end in N. */
    private static String number(long unsigned) {
        return unsigned < 0 ? Long.toUnsignedString(unsigned) + 'N' : Long.toString(unsigned);
    }
}
