// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An ID and its parts.
 *
 * @param id the ID as its sequencer issued it
 * @param unsigned the ID as an unsigned number
 * @param base62 the ID in Base62
 * @param base32 the ID in Crockford's Base32
 * @param readable the ID as time, node ID and counter
 * @param uuid the ID as a UUID of version 7; null if its time is before 1970
 * @param time the time in the ID
 * @param timestamp {@code time} in milliseconds since the sequencer's epoch
 * @param logicalNodeId the node ID in the ID
 * @param counter the number that distinguishes the IDs of one millisecond and node
 * @param layout the numbers of bits of the three parts
 */
record DecodedId(
        String sequencer,
        String id,
        String unsigned,
        String base62,
        String base32,
        String readable,
        @Nullable String uuid,
        Instant time,
        long timestamp,
        int logicalNodeId,
        int counter,
        Layout layout) {
    private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,20}");
    private static final int BASE62_LENGTH = 11;
    private static final int BASE32_LENGTH = 13;
    private static final int UUID_LENGTH = 36;

    /** The numbers of bits of the three parts, from the highest bit on. */
    record Layout(int timestampBits, int logicalNodeBits, int counterBits) {}

    /**
     * Parses a decimal number, signed or unsigned, or a text form of {@link SnowflakeId}. The length determines the
     * form of a text; at 36 characters, a hyphen at index 8 distinguishes a UUID from a readable ID.
     */
    static SnowflakeId parse(String text, SnowcastSequencer sequencer) {
        if (DECIMAL.matcher(text).matches()) {
            return SnowflakeId.of(
                    text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text), sequencer);
        }
        return switch (text.length()) {
            case BASE62_LENGTH -> SnowflakeId.of(SnowflakeId.parseBase62(text), sequencer);
            case BASE32_LENGTH -> SnowflakeId.of(SnowflakeId.parseBase32(text), sequencer);
            case UUID_LENGTH ->
                text.charAt(8) == '-'
                        ? SnowflakeId.ofUuid(UUID.fromString(text), sequencer.layout(), sequencer.epoch())
                        : SnowflakeId.parse(text, sequencer.layout(), sequencer.epoch());
            default -> SnowflakeId.parse(text, sequencer.layout(), sequencer.epoch());
        };
    }

    static DecodedId of(String sequencer, SnowflakeId id) {
        return new DecodedId(
                sequencer,
                Long.toString(id.value()),
                Long.toUnsignedString(id.value()),
                SnowflakeId.toBase62(id.value()),
                SnowflakeId.toBase32(id.value()),
                id.toString(),
                uuid(id),
                id.instant(),
                id.layout().timestampValue(id.value()),
                id.logicalNodeId(),
                id.counter(),
                new Layout(
                        id.layout().timestampBits(),
                        id.layout().logicalNodeBits(),
                        id.layout().counterBits()));
    }

    private static @Nullable String uuid(SnowflakeId id) {
        try {
            return id.toUuid().toString();
        } catch (ArithmeticException e) { // The time is before 1970.
            return null;
        }
    }
}
