// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/**
 * Sorts more integers than fit into memory, in unsigned order: it sorts runs in memory, writes them to a file, and
 * merges them. If no integer of a run is below the highest integer of the previous run, the run extends the previous
 * run, so sorted input makes one run. Not thread-safe.
 */
final class LongSorter implements Closeable {
    private static final int COPY_BYTES = 1 << 20;
    private static final int MIN_READ_BYTES = 1 << 13;

    private final int capacity;
    private final Path directory;
    private final List<Run> runs = new ArrayList<>();
    private long[] buffer;
    private int size;
    private Path path = Path.of("");
    private FileChannel file;
    private long highest = Long.MIN_VALUE;

    /**
     * @param capacity the number of integers in memory
     * @param directory the directory of the file, which takes 8 bytes per integer
     */
    @SuppressWarnings("NullAway.Init") // The file is opened for the first run.
    LongSorter(int capacity, Path directory) {
        this.capacity = capacity;
        this.directory = directory;
        this.buffer = new long[capacity];
    }

    void add(long value) throws IOException {
        if (size == capacity) {
            writeRun();
        }
        // The signed order of these numbers is the unsigned order of the values.
        buffer[size++] = value ^ Long.MIN_VALUE;
    }

    int runs() {
        return runs.size();
    }

    /** Passes all integers to the consumer in order, with duplicates. After that, no integer may be added. */
    void forEach(LongConsumer consumer) throws IOException {
        if (file == null) {
            Arrays.sort(buffer, 0, size);
            for (int i = 0; i < size; i++) {
                consumer.accept(buffer[i] ^ Long.MIN_VALUE);
            }
            return;
        }
        writeRun();
        buffer = new long[0];
        merge(consumer);
    }

    private void merge(LongConsumer consumer) throws IOException {
        long bytesEach = (long) capacity * Long.BYTES / runs.size();
        int readBytes = (int) Math.max(MIN_READ_BYTES, Math.min(bytesEach, COPY_BYTES)) & -Long.BYTES;
        PriorityQueue<Cursor> cursors = new PriorityQueue<>(Comparator.comparingLong(Cursor::value));
        for (Run run : runs) {
            cursors.add(new Cursor(run, ByteBuffer.allocateDirect(readBytes)));
        }
        while (!cursors.isEmpty()) {
            Cursor lowest = cursors.remove();
            // Continue with this run until another run has a lower value. This saves most queue operations if runs
            // hardly overlap.
            long bound = cursors.isEmpty() ? Long.MAX_VALUE : cursors.element().value();
            boolean hasMore = true;
            while (hasMore && lowest.value() <= bound) {
                consumer.accept(lowest.value() ^ Long.MIN_VALUE);
                hasMore = lowest.next();
            }
            if (hasMore) {
                cursors.add(lowest);
            }
        }
    }

    private void writeRun() throws IOException {
        if (size == 0) {
            return;
        }
        if (file == null) {
            path = Files.createTempFile(directory, "snowcast-verify", ".tmp");
            // DELETE_ON_CLOSE removes the file even if the process is killed.
            file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        }
        Arrays.sort(buffer, 0, size);
        long start = file.position();
        ByteBuffer copy = ByteBuffer.allocateDirect(COPY_BYTES);
        for (int from = 0; from < size; from += COPY_BYTES / Long.BYTES) {
            int count = Math.min(size - from, COPY_BYTES / Long.BYTES);
            copy.clear();
            copy.asLongBuffer().put(buffer, from, count);
            copy.limit(count * Long.BYTES);
            while (copy.hasRemaining()) {
                file.write(copy);
            }
        }
        if (!runs.isEmpty() && highest <= buffer[0]) {
            start = runs.remove(runs.size() - 1).startByte();
        }
        runs.add(new Run(start, file.position()));
        highest = buffer[size - 1];
        size = 0;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    private record Run(long startByte, long endByte) {}

    private final class Cursor {
        private final ByteBuffer bytes;
        private final long endByte;
        private LongBuffer values = LongBuffer.allocate(0);
        private long nextByte;
        private long value;

        Cursor(Run run, ByteBuffer bytes) throws IOException {
            this.bytes = bytes;
            this.nextByte = run.startByte();
            this.endByte = run.endByte();
            next();
        }

        long value() {
            return value;
        }

        boolean next() throws IOException {
            if (!values.hasRemaining()) {
                if (nextByte == endByte) {
                    return false;
                }
                fill();
            }
            value = values.get();
            return true;
        }

        private void fill() throws IOException {
            bytes.clear().limit((int) Math.min(bytes.capacity(), endByte - nextByte));
            while (bytes.hasRemaining()) {
                int count = file.read(bytes, nextByte);
                if (count < 0) {
                    throw new EOFException("the file was cut while it was read: " + path);
                }
                nextByte += count;
            }
            values = bytes.flip().asLongBuffer();
        }
    }
}
