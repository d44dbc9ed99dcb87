// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.noctarius.snowcast.store.SequenceName;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Reads a message of a member or a client. Does not trust the sender: a number must be in its range, and memory is
 * allocated for no more values than there are bytes left.
 */
public final class WireInput {
    /**
     * The version of the wire format between members, and between members and clients. It is the first byte of
     * snowcast's part of each message. Members and clients reject messages of other versions.
     */
    public static final int VERSION = 1;

    /** A char of a name takes at most three bytes in UTF-8; a character of four bytes counts as two chars. */
    private static final int MAX_NAME_BYTES = 3 * SequenceName.MAX_LENGTH;

    private final ObjectDataInput in;

    private WireInput(ObjectDataInput in) {
        this.in = in;
    }

    /**
     * Reads a message: its version, then its content. Throws a {@link HazelcastSerializationException} with the reason
     * if the message cannot be read.
     */
    public static <T> T read(ObjectDataInput in, String what, Form.Reader<T> reader) {
        int length = bytesLeft(in);
        try {
            byte version = in.readByte();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "this version of snowcast reads version " + VERSION + " of its wire format, not " + version);
            }
            return reader.read(new WireInput(in));
        } catch (IOException | RuntimeException | Error e) {
            // Catch even errors: otherwise the client would get no answer, or the error could end the member.
            throw new HazelcastSerializationException(
                    what + " cannot be read, at byte " + (length - bytesLeft(in)) + " of " + length + ": " + reason(e),
                    e);
        }
    }

    private static String reason(Throwable e) {
        return e instanceof EOFException ? "it ends early" : Objects.requireNonNullElseGet(e.getMessage(), e::toString);
    }

    private static int bytesLeft(ObjectDataInput in) {
        try {
            return ((InputStream) in).available(); // All inputs of Hazelcast are input streams.
        } catch (IOException e) {
            throw new HazelcastSerializationException(e);
        }
    }

    boolean bool() throws IOException {
        return small("a flag", 0, 1) == 1;
    }

    public long number() throws IOException {
        return in.readLong();
    }

    long number(String what, long min, long max) throws IOException {
        return requireRange(what, in.readLong(), min, max);
    }

    public int integer(String what, int min, int max) throws IOException {
        return (int) requireRange(what, in.readInt(), min, max);
    }

    int small(String what, int min, int max) throws IOException {
        return (int) requireRange(what, in.readByte(), min, max);
    }

    private static long requireRange(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " must be " + min + " to " + max + ": " + value);
        }
        return value;
    }

    /** Reads a text that {@link SequenceName} allows as a name. */
    String name() throws IOException {
        return SequenceName.require(text("the length of a name", MAX_NAME_BYTES));
    }

    public String text() throws IOException {
        return text("the length of a text", Integer.MAX_VALUE);
    }

    /** Reads a text in Hazelcast's format of strings: a length, and that many bytes of UTF-8. */
    private String text(String length, int maxBytes) throws IOException {
        int written = in.readInt();
        byte[] utf8 = new byte[(int) requireRange(length, written, 0, Math.min(maxBytes, bytesLeft(in)))];
        in.readFully(utf8);
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    }

    /** Reads a list. Each value takes at least a byte, so a count above the number of remaining bytes is invalid. */
    <T> List<T> list(Form<T> form, int maxCount) throws IOException {
        int written = in.readInt();
        int count = (int) requireRange("the count of a list", written, 0, Math.min(maxCount, bytesLeft(in)));
        List<T> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(form.reader().read(this));
        }
        return values;
    }

    /** Throws if bytes follow the last value, because such a message has another format. */
    void requireEnd() {
        requireRange("the number of bytes behind the end", bytesLeft(in), 0, 0);
    }

    public <T> T value(Form<T> form) throws IOException {
        return form.reader().read(this);
    }
}
