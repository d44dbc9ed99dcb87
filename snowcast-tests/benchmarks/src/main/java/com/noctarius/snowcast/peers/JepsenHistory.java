// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.peers.History.Span;
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
import java.util.zip.GZIPOutputStream;

/**
 * Writes a history in the format of Jepsen's {@code history.edn}, one operation per line. A call is an operation
 * {@code :generate} of its process, which Jepsen's checker {@code unique-ids} reads. A fault is an operation of the
 * nemesis.
 */
final class JepsenHistory {
    private JepsenHistory() {}

    /** A line of the file, without its index. */
    private record Line(long time, String type, String process, String f, String value) {}

    /**
     * Writes a file, compressed with gzip, with the calls of all crowds, or of all other processes.
     *
     * @param ofCrowds whether to write the calls of crowds, whose IDs are only compared with each other
     */
    static void write(History history, boolean ofCrowds, Path file) throws IOException {
        try (Writer out = new BufferedWriter(
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
            write(history, ofCrowds, out);
        }
    }

    static void write(History history, boolean ofCrowds, Appendable out) throws IOException {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < history.processes().size(); i++) {
            if (history.processes().get(i).isOfCrowd() == ofCrowds) {
                addCalls(Integer.toString(i), history.processes().get(i).calls(), lines);
            }
        }
        history.faults().forEach(fault -> addFault(fault, lines));
        // The sort is stable, so the end of a call stays before the beginning of the next call in the same nanosecond.
        lines.sort(Comparator.comparingLong(Line::time));
        for (int index = 0; index < lines.size(); index++) {
            append(out, index, lines.get(index), history.begin());
        }
    }

    private static void addCalls(String process, List<Call> calls, List<Line> lines) {
        for (Call call : calls) {
            Id id = call.id();
            lines.add(new Line(call.before(), "invoke", process, "generate", "nil"));
            lines.add(new Line(
                    call.after(), id == null ? "fail" : "ok", process, "generate", id == null ? "nil" : id.toEdn()));
        }
    }

    private static void addFault(Span fault, List<Line> lines) {
        String kind = fault.fault().name().toLowerCase(Locale.ROOT).replace('_', '-');
        String what = '"' + fault.fault().title() + ": " + fault.detail() + '"';
        lines.add(new Line(fault.begin(), "info", ":nemesis", kind, what));
        lines.add(new Line(fault.end(), "info", ":nemesis", kind, what));
    }

    private static void append(Appendable out, int index, Line line, long begin) {
        try {
            out.append("{:index " + index + ", :time " + (line.time - begin) + ", :type :" + line.type + ", :process "
                    + line.process + ", :f :" + line.f + ", :value " + line.value + "}\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
