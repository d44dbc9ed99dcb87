// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of one thread, in a file. The file is mapped into memory, so that it keeps each call that has ended, even
 * if the process is killed. While one process writes the file, another process may call {@link #idCount} and
 * {@link #lastIdNanos}.
 */
final class CallLog implements AutoCloseable {
    /** Two times and the ID. The time after the call is written last, and is negative if the call threw. */
    private static final int RECORD = 4 * Long.BYTES;

    private static final int AFTER = Long.BYTES;
    private static final int HIGH = 2 * Long.BYTES;
    private static final int LOW = 3 * Long.BYTES;

    /** Positions in the header of the file: how many calls returned an ID, and when the last such call returned. */
    private static final int COUNT = 0;

    private static final int LAST = Long.BYTES;
    private static final int CHUNK = RECORD << 16;

    private final FileChannel channel;
    private final MappedByteBuffer header;
    private MappedByteBuffer chunk;
    private long chunkStart;
    private int position = RECORD;

    private CallLog(FileChannel channel) throws IOException {
        this.channel = channel;
        this.header = map(0, RECORD);
        this.chunk = map(0, CHUNK);
    }

    static CallLog open(Path file) throws IOException {
        return new CallLog(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    private MappedByteBuffer map(long start, int size) throws IOException {
        MappedByteBuffer mapped = channel.map(MapMode.READ_WRITE, start, size);
        mapped.order(ByteOrder.nativeOrder());
        return mapped;
    }

    void returned(long before, long after, Id id) throws IOException {
        chunk.putLong(position + HIGH, id.high());
        chunk.putLong(position + LOW, id.low());
        write(before, after);
        header.putLong(LAST, after);
        header.putLong(COUNT, header.getLong(COUNT) + 1);
    }

    void threw(long before, long after) throws IOException {
        write(before, -after);
    }

    private void write(long before, long after) throws IOException {
        chunk.putLong(position, before);
        chunk.putLong(position + AFTER, after);
        position += RECORD;
        if (position == CHUNK) {
            chunkStart += CHUNK;
            chunk = map(chunkStart, CHUNK);
            position = 0;
        }
    }

    long idCount() {
        return header.getLong(COUNT);
    }

    /** Returns the time at which a call last returned an ID; 0 if no call has returned one. */
    long lastIdNanos() {
        return header.getLong(LAST);
    }

    /** Returns all calls that have ended. */
    static List<Call> read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        List<Call> calls = new ArrayList<>();
        for (int at = RECORD; at + RECORD <= bytes.capacity(); at += RECORD) {
            long after = bytes.getLong(at + AFTER);
            if (after == 0) {
                break;
            }
            Id id = after < 0 ? null : new Id(bytes.getLong(at + HIGH), bytes.getLong(at + LOW));
            calls.add(new Call(bytes.getLong(at), Math.abs(after), id));
        }
        return calls;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
