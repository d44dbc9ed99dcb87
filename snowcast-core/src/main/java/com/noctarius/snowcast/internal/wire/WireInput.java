// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what another member or a client sent, and trusts none of it: a number must lie in its range, and nothing is
 * allocated for more values than there are bytes left.
 */
public final class WireInput {
    private final ObjectDataInput in;
    private final int version;

    private WireInput(ObjectDataInput in, int version) {
        this.in = in;
        this.version = version;
    }

    /**
     * Reads a message: the version of its form, then its content.
     *
     * @param what names the message in exceptions
     * @throws HazelcastSerializationException whatever is wrong with it
     */
    public static <T> T read(ObjectDataInput in, String what, Form.Reader<T> reader) {
        int length = bytesLeft(in);
        try {
            WireInput input = new WireInput(in, WireVersion.require(in.readByte()));
            return reader.read(input);
        } catch (IOException | RuntimeException e) {
            throw new HazelcastSerializationException(
                    what + " cannot be read, at byte " + (length - bytesLeft(in)) + " of " + length + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static int bytesLeft(ObjectDataInput in) {
        try {
            return ((InputStream) in).available(); // Hazelcast has no other kind.
        } catch (IOException e) {
            throw new HazelcastSerializationException(e);
        }
    }

    public int version() {
        return version;
    }

    boolean bool() throws IOException {
        return in.readBoolean();
    }

    public long number() throws IOException {
        return in.readLong();
    }

    long number(String what, long min, long max) throws IOException {
        return requireRange(what, in.readLong(), min, max);
    }

    int integer(String what, int min, int max) throws IOException {
        return (int) requireRange(what, in.readInt(), min, max);
    }

    /** Reads a number that was written as a byte. */
    int small(String what, int min, int max) throws IOException {
        return (int) requireRange(what, in.readByte(), min, max);
    }

    private static long requireRange(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " must be " + min + " to " + max + ": " + value);
        }
        return value;
    }

    /** Reads the name of a sequencer or integer sequence. */
    String name() throws IOException {
        String name = in.readString();
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a name is missing");
        }
        return name;
    }

    /** Reads a list. Each value takes a byte or more: a count above the bytes that are left is a lie. */
    <T> List<T> list(Form<T> form, int maxCount) throws IOException {
        int written = in.readInt();
        int count = (int) requireRange("the count of a list", written, 0, Math.min(maxCount, bytesLeft(in)));
        List<T> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(form.reader().read(this));
        }
        return values;
    }

    public <T> T value(Form<T> form) throws IOException {
        return form.reader().read(this);
    }
}
