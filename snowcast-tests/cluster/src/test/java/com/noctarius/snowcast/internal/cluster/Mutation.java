// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.wire.WireInput;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A change to a message before it is sent. */
enum Mutation {
    /** No change. Valid messages create state in the member, on which later messages act. */
    NONE {
        @Override
        void change(ByteBuffer bytes, WrittenMessage written, Random random) {}
    },
    TRUNCATED {
        @Override
        byte[] applyTo(WrittenMessage written, Random random) {
            return Arrays.copyOf(written.bytes(), random.nextInt(written.bytes().length));
        }
    },
    LENGTHENED {
        @Override
        byte[] applyTo(WrittenMessage written, Random random) {
            byte[] more = new byte[1 + random.nextInt(MAX_ADDED)];
            random.nextBytes(more);
            byte[] bytes = Arrays.copyOf(written.bytes(), written.bytes().length + more.length);
            System.arraycopy(more, 0, bytes, written.bytes().length, more.length);
            return bytes;
        }
    },
    FLIPPED {
        @Override
        void change(ByteBuffer bytes, WrittenMessage written, Random random) {
            for (int flips = 1 + random.nextInt(MAX_FLIPS); flips > 0; flips--) {
                int position = random.nextInt(bytes.limit());
                bytes.put(position, (byte) (bytes.get(position) ^ 1 << random.nextInt(Byte.SIZE)));
            }
        }
    },
    /** Changes one 32-bit field, which may be a count or a length. */
    LENGTH {
        @Override
        void change(ByteBuffer bytes, WrittenMessage written, Random random) {
            List<WrittenMessage.Field> places = written.fields(WrittenMessage.Width.INT);
            if (!places.isEmpty()) {
                bytes.putInt(places.get(random.nextInt(places.size())).position(), pick(INTS, random));
            }
        }
    },
    VERSION {
        @Override
        void change(ByteBuffer bytes, WrittenMessage written, Random random) {
            bytes.put(0, (byte) (WireInput.VERSION + 1 + random.nextInt(MAX_OTHER_VERSIONS)));
        }
    },
    /** Changes some 8-bit and 64-bit fields, but no 32-bit fields, because these may be counts. */
    VALUES {
        @Override
        void change(ByteBuffer bytes, WrittenMessage written, Random random) {
            List<WrittenMessage.Field> fields = written.fields();
            for (int changes = 1 + random.nextInt(MAX_VALUES); changes > 0; changes--) {
                WrittenMessage.Field field = fields.get(random.nextInt(fields.size()));
                int position = field.position();
                switch (field.width()) {
                    case BYTE -> bytes.put(position, (byte) pick(BYTES, random));
                    case INT -> {} // These are mostly counts, whose change would break the structure.
                    case LONG -> bytes.putLong(position, odd(bytes.getLong(position), random));
                }
            }
        }
    };

    private static final List<Mutation> ALL = List.of(values());

    private static final int MAX_ADDED = 16;
    private static final int MAX_FLIPS = 8;
    private static final int MAX_VALUES = 6;
    /** The number of invalid versions: a byte has 256 values, and one of them is the valid version. */
    private static final int MAX_OTHER_VERSIONS = 255;

    private static final int[] INTS = {
        Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0, 1, 1_000, 1_001, 8_191, 8_192, 100_000_000, Integer.MAX_VALUE - 8
    };
    private static final int[] BYTES = {0, 1, 2, 6, 7, 13, 41, 64, 127, -128, -1};
    private static final long[] LONGS = {
        0, 1, 2, -1, -2, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE, 1L << 41, 1L << 62
    };

    static Mutation any(Random random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    byte[] applyTo(WrittenMessage written, Random random) {
        byte[] bytes = written.bytes().clone();
        change(ByteBuffer.wrap(bytes), written, random);
        return bytes;
    }

    boolean isAlwaysRefused() {
        return this == TRUNCATED || this == VERSION;
    }

    void change(ByteBuffer bytes, WrittenMessage written, Random random) {
        throw new AssertionError("made otherwise: " + this);
    }

    private static int pick(int[] values, Random random) {
        return values[random.nextInt(values.length)];
    }

    /** Returns a boundary value, any number, or the value changed by at most 2 or by up to about a day in ms. */
    private static long odd(long value, Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> value + random.nextInt(-2, 3);
            case 2 -> value + random.nextInt(-100_000_000, 100_000_000);
            default -> LONGS[random.nextInt(LONGS.length)];
        };
    }
}
