// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The layout of an ID: how many bits are timestamp, node ID and counter, from the highest to the lowest bits.
 *
 * <pre>{@code
 * | timestamp (ms since the epoch) | node ID | counter |
 * |            41 bits             | 13 bits | 10 bits |   the default
 * }</pre>
 *
 * <p>The default fills all 64 bits, so IDs turn negative 34.8 years after the epoch; compare them unsigned, as the
 * comparators of this package do. {@link #POSITIVE} and {@link #JAVASCRIPT} never turn negative.
 *
 * <p>A sequencer of a cluster or database has at most 13 bits for the node ID.
 * {@linkplain SnowcastSystem#standaloneSequencer Standalone sequencers} can have up to 16, such as {@code 41/16/7} for
 * 65,536 machines.
 *
 * @param timestampBits bits of the timestamp, 1 to 42
 * @param logicalNodeBits bits of the node ID, 1 to 16
 * @param counterBits bits of the counter, 0 to 22
 */
public record SnowcastLayout(int timestampBits, int logicalNodeBits, int counterBits) {
    /** The lowest {@code maxLogicalNodeCount}. */
    public static final int MIN_LOGICAL_NODE_COUNT = 128;

    /**
     * The highest {@code maxLogicalNodeCount}, and the maximum number of node IDs of a sequencer of a cluster or
     * database.
     */
    public static final int MAX_LOGICAL_NODE_COUNT = 8_192;

    private static final Pattern BITS = Pattern.compile("(\\d{1,2})/(\\d{1,2})/(\\d{1,2})");

    private static final int MAX_TIMESTAMP_BITS = 42;
    private static final int MAX_NODE_BITS = 16;
    private static final int MAX_COUNTER_BITS = 22;

    /** 41/13/10: 69.7 years, 8,192 node IDs, 1,024 IDs per millisecond and node, all 64 bits. */
    public static final SnowcastLayout DEFAULT = new SnowcastLayout(41, 13, 10);

    /** 41/10/12: 69.7 years, 1,024 node IDs, 4,096 IDs per millisecond and node; 63 bits, never negative. */
    public static final SnowcastLayout POSITIVE = new SnowcastLayout(41, 10, 12);

    /**
     * 41/6/6: 69.7 years, 64 node IDs, 64 IDs per millisecond and node; 53 bits, which a JavaScript {@code Number}
     * holds exactly.
     */
    public static final SnowcastLayout JAVASCRIPT = new SnowcastLayout(41, 6, 6);

    /**
     * Creates a layout and checks the numbers of bits.
     *
     * @param timestampBits bits of the timestamp, 1 to 42
     * @param logicalNodeBits bits of the node ID, 1 to 16
     * @param counterBits bits of the counter, 0 to 22
     * @throws IllegalArgumentException if a number of bits is out of range, the sum exceeds 64, or timestamp and
     *     counter together exceed 62
     */
    public SnowcastLayout {
        requireBits("timestampBits", timestampBits, 1, MAX_TIMESTAMP_BITS);
        requireBits("logicalNodeBits", logicalNodeBits, 1, MAX_NODE_BITS);
        requireBits("counterBits", counterBits, 0, MAX_COUNTER_BITS);
        int sum = timestampBits + logicalNodeBits + counterBits;
        if (sum > Long.SIZE) {
            throw new IllegalArgumentException("timestampBits + logicalNodeBits + counterBits must be <= 64: " + sum);
        }
        // The generator increments timestamp and counter as one long, which must not become negative.
        if (timestampBits + counterBits > Long.SIZE - 2) {
            throw new IllegalArgumentException(
                    "timestampBits + counterBits must be <= 62: " + (timestampBits + counterBits));
        }
    }

    private static void requireBits(String name, int bits, int min, int max) {
        if (bits < min || bits > max) {
            throw new IllegalArgumentException(name + " must be " + min + " to " + max + ": " + bits);
        }
    }

    /**
     * {@return the layout with 64 bits, 41 of them for the time, that has at least {@code maxLogicalNodeCount} node
     * IDs} It ranges from 41/7/16 for 128 node IDs to 41/13/10 for 8,192. The fewer node IDs, the more IDs each can
     * generate per millisecond.
     *
     * @param maxLogicalNodeCount 128 to 8,192, rounded up to a power of two
     * @throws SnowcastMaxLogicalNodeIdOutOfBoundsException if the number is out of range
     */
    public static SnowcastLayout forMaxLogicalNodeCount(int maxLogicalNodeCount) {
        if (maxLogicalNodeCount < MIN_LOGICAL_NODE_COUNT || maxLogicalNodeCount > MAX_LOGICAL_NODE_COUNT) {
            throw new SnowcastMaxLogicalNodeIdOutOfBoundsException("maxLogicalNodeCount must be "
                    + MIN_LOGICAL_NODE_COUNT + " to " + MAX_LOGICAL_NODE_COUNT + ": " + maxLogicalNodeCount);
        }
        int nodeBits = Integer.SIZE - Integer.numberOfLeadingZeros(maxLogicalNodeCount - 1);
        return new SnowcastLayout(DEFAULT.timestampBits, nodeBits, Long.SIZE - DEFAULT.timestampBits - nodeBits);
    }

    /**
     * {@return the layout that a text names}
     *
     * @param text {@code default}, {@code positive} or {@code javascript}, in upper or lower case; or the bits of
     *     timestamp, node ID and counter, such as {@code 41/13/10}, as {@link #toString} returns them
     * @throws NullPointerException if {@code text} is null
     * @throws IllegalArgumentException if {@code text} is none of these, or if the constructor rejects the numbers of
     *     bits
     */
    public static SnowcastLayout parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "default" -> DEFAULT;
            case "positive" -> POSITIVE;
            case "javascript" -> JAVASCRIPT;
            default -> parseBits(text);
        };
    }

    private static SnowcastLayout parseBits(String text) {
        Matcher bits = BITS.matcher(text);
        if (!bits.matches()) {
            throw new IllegalArgumentException(
                    "layout must be default, positive, javascript, or bits such as 41/13/10: " + text);
        }
        return new SnowcastLayout(
                Integer.parseInt(bits.group(1)), Integer.parseInt(bits.group(2)), Integer.parseInt(bits.group(3)));
    }

    /** {@return the bits of timestamp, node ID and counter, such as 41/13/10} */
    @Override
    public String toString() {
        return timestampBits + "/" + logicalNodeBits + "/" + counterBits;
    }

    /** {@return how many node IDs this layout has, a power of two} */
    public int logicalNodeCount() {
        return 1 << logicalNodeBits;
    }

    /** {@return how many IDs one node ID can generate per millisecond, a power of two} */
    public int idsPerMillisecond() {
        return 1 << counterBits;
    }

    /** {@return the last millisecond this layout can express, counted from the epoch} */
    public long maxTimestamp() {
        return (1L << timestampBits) - 1;
    }

    /**
     * {@return the instant at which the time of this layout ends; a sequencer issues no IDs from then on}
     *
     * @param epoch the epoch of the sequencer
     */
    public Instant endOfTime(SnowcastEpoch epoch) {
        return Instant.ofEpochMilli(epoch.getEpochOffset()).plusMillis(maxTimestamp() + 1);
    }

    /**
     * {@return the instant from which IDs of this layout are negative as a {@code long}; empty if they never are,
     * because the layout has fewer than 64 bits}
     *
     * @param epoch the epoch of the sequencer
     */
    public Optional<Instant> turnsNegative(SnowcastEpoch epoch) {
        return timestampBits + logicalNodeBits + counterBits < Long.SIZE
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(epoch.getEpochOffset()).plusMillis(1L << (timestampBits - 1)));
    }

    /**
     * {@return the ID with these parts} The method does not check the parts: a part that exceeds its bits corrupts the
     * others.
     *
     * @param timestampMillis milliseconds since the epoch, 0 to {@link #maxTimestamp()}
     * @param logicalNodeId 0 to {@link #logicalNodeCount()} - 1
     * @param counter 0 to {@link #idsPerMillisecond()} - 1
     */
    public long compose(long timestampMillis, int logicalNodeId, int counter) {
        return timestampMillis << (logicalNodeBits + counterBits) | (long) logicalNodeId << counterBits | counter;
    }

    /**
     * {@return the timestamp of an ID, in milliseconds since the epoch, never negative}
     *
     * @param id an ID of this layout
     */
    public long timestampValue(long id) {
        return id >>> (logicalNodeBits + counterBits);
    }

    /**
     * {@return the node ID of an ID}
     *
     * @param id an ID of this layout
     */
    public int logicalNodeId(long id) {
        return (int) (id >>> counterBits) & (logicalNodeCount() - 1);
    }

    /**
     * {@return the counter of an ID, which distinguishes the IDs of one node and millisecond}
     *
     * @param id an ID of this layout
     */
    public int counterValue(long id) {
        return (int) id & (idsPerMillisecond() - 1);
    }
}
