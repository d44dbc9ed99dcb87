// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.leases.Coordinator.GrantObserver;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * What everybody asked and got in a run, and what was done to them, as operations in the form of Jepsen's
 * {@code history.edn}, one a line; docs/dev/long-runs.md describes it. {@code -Dsnowcast.history=} is the directory;
 * without it nothing is written. Thread-safe.
 */
final class History implements GrantObserver, AutoCloseable {
    /** The system property with the directory. */
    static final String DIRECTORY = "snowcast.history";

    /** How many results a call has at most. */
    static final int MAX_BATCH = 20;

    private final @Nullable Writer out;
    private final boolean isFlushed;
    private final long startNanos;
    private final int firstNumber;

    // --- guarded by the monitor
    private final IdentityHashMap<Object, Integer> instances = new IdentityHashMap<>();
    private long index;
    private int callers;
    private boolean isClosed;

    private History(@Nullable Writer out, boolean isFlushed, long startNanos, int firstNumber) {
        this.out = out;
        this.isFlushed = isFlushed;
        this.startNanos = startNanos;
        this.firstNumber = firstNumber;
    }

    /** Returns where histories go, if they are wanted. */
    static Optional<Path> directory() {
        return Optional.ofNullable(System.getProperty(DIRECTORY)).map(Path::of);
    }

    /** Returns the file of a run. */
    static Path file(Path directory, String run) {
        return directory.resolve(run.toLowerCase(Locale.ROOT) + ".edn.gz");
    }

    /** Begins the history of a run, which is written only if {@link #directory} says where. */
    static History ofRun(String run) {
        return directory().map(directory -> compressed(file(directory, run))).orElseGet(History::none);
    }

    static History none() {
        return new History(null, false, 0, 0);
    }

    static History compressed(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Writer out = new OutputStreamWriter(
                    new GZIPOutputStream(Files.newOutputStream(file), 1 << 16), StandardCharsets.UTF_8);
            return new History(new BufferedWriter(out, 1 << 16), false, System.nanoTime(), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Begins the share of one process in a history: a line is in the file when it was written, also if the process is
     * killed. {@link HistoryParts} puts the shares together.
     *
     * @param firstNumber where the numbers of its processes and instances begin
     */
    static History part(Path file, int firstNumber) {
        try {
            return new History(Files.newBufferedWriter(file), true, 0, firstNumber);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- calls

    /** What is asked for. */
    interface Call {
        /** Returns what came: nothing, one or several. */
        long[] run() throws InterruptedException;
    }

    /** Begins the calls of one thread. */
    synchronized Caller caller() {
        int first = firstNumber + callers * MAX_BATCH;
        callers++;
        return new Caller(first);
    }

    /**
     * One thread that asks: as many processes as a call has results, since a process of Jepsen has one operation at a
     * time, and an operation one ID.
     */
    final class Caller {
        private final int firstProcess;

        private Caller(int firstProcess) {
            this.firstProcess = firstProcess;
        }

        /** Makes a call on a sequencer that was told to be {@link #created}, for that many. */
        long[] generate(SnowcastSequencer from, int count, Call call) throws InterruptedException {
            if (out == null) {
                return call.run();
            }
            String name = from.name();
            String instance = ", :instance " + number(from);
            write("invoke", 0, count, name, instance);
            try {
                long[] results = call.run();
                for (int i = 0; i < results.length; i++) {
                    write("ok", i, name, number(results[i]), instance);
                }
                write("fail", results.length, count, name, instance + ", :error :NothingAtPresent");
                return results;
            } catch (RuntimeException | InterruptedException e) {
                write(
                        "fail",
                        0,
                        count,
                        name,
                        instance + ", :error :" + e.getClass().getSimpleName());
                throw e;
            }
        }

        private void write(String type, int from, int to, String name, String more) {
            for (int i = from; i < to; i++) {
                write(type, i, name, "nil", more);
            }
        }

        private void write(String type, int process, String name, String result, String more) {
            line(
                    type,
                    Integer.toString(firstProcess + process),
                    "generate",
                    '[' + quoted(name) + ' ' + result + ']' + more);
        }
    }

    /** Returns the number of an instance, which says that calls are on the same one. */
    private synchronized int number(Object instance) {
        return Objects.requireNonNull(instances.get(instance), "it was not told that it was created");
    }

    /** EDN has integers of 64 bits, and others of any size, which end in N. */
    static String number(long unsigned) {
        return unsigned < 0 ? Long.toUnsignedString(unsigned) + 'N' : Long.toString(unsigned);
    }

    // --- what holders tell

    /**
     * Says first what the run is.
     *
     * @param isUnprotected whether both sides of a split go on
     */
    void begun(String run, long seed, boolean isUnprotected) {
        info("holders", "run", () -> map("name", quoted(run), "seed", seed, "unprotected", isUnprotected));
    }

    /** A sequencer was created, or was there; says how its IDs are made. */
    synchronized void created(SnowcastSequencer sequencer, String by) {
        if (!isNew(sequencer)) {
            return;
        }
        info(
                "holders",
                "created",
                () -> map(
                        "name", quoted(sequencer.name()),
                        "instance", number(sequencer),
                        "by", quoted(by),
                        "epoch", sequencer.epoch().getEpochOffset(),
                        "node-bits", sequencer.layout().logicalNodeBits(),
                        "counter-bits", sequencer.layout().counterBits()));
    }

    private boolean isNew(Object instance) {
        return out != null && instances.putIfAbsent(instance, firstNumber + instances.size()) == null;
    }

    @Override
    public void granted(AttachRequest request, Grant grant) {
        long epoch = request.definition().epochOffset();
        // A holder begins above its own former IDs, and issues nothing of the time before its clock's.
        long from = Math.max(grant.floor(), request.lastMillis() + 1);
        info(
                "holders",
                "granted",
                () -> map(
                        "name", quoted(request.name()),
                        "incarnation", grant.incarnation(),
                        "node", grant.logicalNodeId(),
                        "grant", quoted(grant(request.holder(), grant.token())),
                        "epoch", epoch,
                        "from", from,
                        "clock", request.holderNowMillis() - epoch,
                        "to", grant.ceiling()));
    }

    @Override
    public void extended(ExtendRequest request, long ceiling) {
        info(
                "holders",
                "extended",
                () -> map(
                        "name", quoted(request.name()),
                        "grant", quoted(grant(request.holder(), request.token())),
                        "to", ceiling));
    }

    @Override
    public void ended(UUID holder, DetachRequest unused) {
        info(
                "holders",
                "ended",
                () -> map(
                        "name", quoted(unused.name()),
                        "grant", quoted(grant(holder, unused.token())),
                        "to", unused.lastMillis() + 1));
    }

    private static String grant(UUID holder, Token token) {
        return holder + " " + token.tableEpoch() + ' ' + token.sequence();
    }

    void reported(PossibleDuplicates ids) {
        info(
                "holders",
                "reported",
                () -> map(
                        "name", quoted(ids.sequencerName()),
                        "node", ids.logicalNodeId(),
                        "from-millis", ids.from().toEpochMilli(),
                        "to-millis", ids.to().toEpochMilli()));
    }

    // --- what is done to them

    /** A step of one of the threads that make the faults begins or ends: each is told twice. */
    void fault(String thread, String kind, String what) {
        info(thread, kind.toLowerCase(Locale.ROOT).replace('_', '-'), () -> quoted(what));
    }

    /**
     * From here on nothing repeats, and all is in order: the sides of all splits have merged, and what they had is used
     * up.
     */
    void settled() {
        info("holders", "settled", () -> "nil");
    }

    // --- lines

    private static String map(Object... keysAndValues) {
        StringBuilder map = new StringBuilder("{");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.append(i == 0 ? ":" : ", :")
                    .append(keysAndValues[i])
                    .append(' ')
                    .append(keysAndValues[i + 1]);
        }
        return map.append('}').toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private void info(String process, String f, Supplier<String> value) {
        if (out != null) {
            line("info", ':' + process, f, value.get());
        }
    }

    /** The time is that of the line, so that they stand in its order. */
    private synchronized void line(String type, String process, String f, String value) {
        if (out == null || isClosed) {
            return;
        }
        try {
            out.write(map(
                            "index",
                            index++,
                            "time",
                            System.nanoTime() - startNanos,
                            "type",
                            ':' + type,
                            "process",
                            process,
                            "f",
                            ':' + f,
                            "value",
                            value)
                    + '\n');
            if (isFlushed) {
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (out != null) {
            try {
                out.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
