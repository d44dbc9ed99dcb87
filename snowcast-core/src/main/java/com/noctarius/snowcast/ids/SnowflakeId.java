// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Snowflake ID together with the layout and epoch that are needed to decode it. This class also formats and parses
 * IDs as text, and computes bounds of IDs for a search by time.
 *
 * <table>
 * <caption>One ID in each form</caption>
 * <tr><td>{@code long}</td><td>{@code 764750276312737799}</td></tr>
 * <tr><td>{@linkplain #toBase62 Base62}</td><td>{@code 0uUYzTIeNfz}</td></tr>
 * <tr><td>{@linkplain #toBase32 Base32}</td><td>{@code 0N77GAC8R1A07}</td></tr>
 * <tr><td>{@linkplain #toString() readable}</td><td>{@code 2026-11-21T03:42:17.123Z-0042-0007}</td></tr>
 * <tr><td>{@linkplain #toUuid() UUID}</td><td>{@code 01a1fc32-9a23-7000-8000-002a00000007}</td></tr>
 * </table>
 *
 * <p>IDs are ordered as unsigned numbers. {@link #compareTo} gives the same order. The Base62 and Base32 texts have the
 * same order if compared by their character codes. The readable texts of one epoch and layout have the same order as
 * long as years have four digits, and the layout has at most 10,000 node IDs and 10,000 IDs per millisecond and node.
 * For UUIDs see {@link #toUuid()}.
 *
 * <p>Immutable and thread-safe. No method blocks. All methods except {@link #equals} throw {@link NullPointerException}
 * for a null argument.
 */
public final class SnowflakeId implements Comparable<SnowflakeId> {
    private static final String EXAMPLE = "2026-11-21T03:42:17.123Z-0042-0007";
    private static final Pattern READABLE = Pattern.compile("(.*)-([0-9]{4,10})-([0-9]{4,10})", Pattern.DOTALL);
    /** The last 16 bits of a UUID's first half: version 7, and 12 bits that are 0. */
    private static final long UUID_VERSION = 0x7000;
    /** The first 16 bits of a UUID's second half: the variant of RFC 9562, and 14 bits that are 0. */
    private static final long UUID_VARIANT = 0x8000;

    private static final DateTimeFormatter INSTANT =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    /** Also compares epoch and layout, so that only equal objects compare as 0. */
    private static final Comparator<SnowflakeId> ORDER = Comparator.comparing(SnowflakeId::value, Long::compareUnsigned)
            .thenComparingLong(id -> id.epoch.getEpochOffset())
            .thenComparing(id -> id.layout.toString());

    private final long value;
    private final SnowcastLayout layout;
    private final SnowcastEpoch epoch;

    private SnowflakeId(long value, SnowcastLayout layout, SnowcastEpoch epoch) {
        this.value = value;
        this.layout = layout;
        this.epoch = epoch;
    }

    /**
     * {@return an ID, decoded with its layout and epoch} The method does not check whether any sequencer issued it.
     *
     * @param id the ID
     * @param layout the layout of its sequencer
     * @param epoch the epoch of its sequencer
     * @throws IllegalArgumentException if {@code id} has bits beyond those of the layout
     */
    public static SnowflakeId of(long id, SnowcastLayout layout, SnowcastEpoch epoch) {
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(epoch, "epoch");
        if (layout.timestampValue(id) > layout.maxTimestamp()) {
            throw new IllegalArgumentException("ID must be at most "
                    + Long.toUnsignedString(lastOf(layout.maxTimestamp(), layout)) + " with layout " + layout
                    + ", unsigned: "
                    + Long.toUnsignedString(id));
        }
        return new SnowflakeId(id, layout, epoch);
    }

    /**
     * {@return an ID, decoded with the layout and epoch of a sequencer in any state} The method does not check whether
     * the sequencer issued it.
     *
     * @param id the ID
     * @param sequencer the sequencer whose layout and epoch the ID has
     * @throws IllegalArgumentException if {@code id} has bits beyond those of the layout
     * @throws UnsupportedOperationException as {@link SnowcastSequencer#layout()} and {@link SnowcastSequencer#epoch()}
     */
    public static SnowflakeId of(long id, SnowcastSequencer sequencer) {
        Objects.requireNonNull(sequencer, "sequencer");
        return of(id, sequencer.layout(), sequencer.epoch());
    }

    private static long lastOf(long timestampMillis, SnowcastLayout layout) {
        return layout.compose(timestampMillis, layout.logicalNodeCount() - 1, layout.idsPerMillisecond() - 1);
    }

    /** {@return the ID as a {@code long}; negative if bit 63 is set} */
    public long value() {
        return value;
    }

    /** {@return the layout with which this ID is decoded} */
    public SnowcastLayout layout() {
        return layout;
    }

    /** {@return the epoch with which this ID is decoded} */
    public SnowcastEpoch epoch() {
        return epoch;
    }

    /** {@return the time of this ID: the beginning of its millisecond} */
    public Instant instant() {
        return beginning(epoch).plusMillis(layout.timestampValue(value));
    }

    /** {@return the node ID of this ID, 0 to {@link SnowcastLayout#logicalNodeCount()} - 1} */
    public int logicalNodeId() {
        return layout.logicalNodeId(value);
    }

    /** {@return the counter of this ID, 0 to {@link SnowcastLayout#idsPerMillisecond()} - 1} */
    public int counter() {
        return layout.counterValue(value);
    }

    /**
     * {@return the lowest ID that an instant's millisecond can have, with node ID 0 and counter 0} It is the inclusive
     * lower bound of a search for IDs from that instant on, and the exclusive upper bound of a search for earlier IDs.
     *
     * <p>The instant is rounded down to milliseconds, so searches {@code from <= id < to} of adjacent periods neither
     * overlap nor leave a gap. Compare bounds unsigned; for signed columns see {@code docs/ids.md}.
     *
     * @param instant the instant
     * @param layout the layout of the IDs
     * @param epoch the epoch of the IDs
     * @throws IllegalArgumentException if the instant lies before the epoch or after the last millisecond of the layout
     */
    public static long lowestId(Instant instant, SnowcastLayout layout, SnowcastEpoch epoch) {
        return layout.compose(timestampMillis(instant, layout, epoch), 0, 0);
    }

    /**
     * {@return the highest ID that an instant's millisecond can have, with the greatest node ID and counter} It is the
     * inclusive upper bound of a search up to and including that millisecond.
     *
     * @param instant the instant
     * @param layout the layout of the IDs
     * @param epoch the epoch of the IDs
     * @throws IllegalArgumentException if the instant lies before the epoch or after the last millisecond of the layout
     */
    public static long highestId(Instant instant, SnowcastLayout layout, SnowcastEpoch epoch) {
        return lastOf(timestampMillis(instant, layout, epoch), layout);
    }

    private static long timestampMillis(Instant instant, SnowcastLayout layout, SnowcastEpoch epoch) {
        Objects.requireNonNull(instant, "instant");
        Objects.requireNonNull(layout, "layout");
        Instant first = beginning(Objects.requireNonNull(epoch, "epoch"));
        if (instant.isBefore(first)) {
            throw new IllegalArgumentException("time must not lie before the epoch " + first + ": " + instant);
        }
        Instant end = first.plusMillis(layout.maxTimestamp() + 1);
        if (!instant.isBefore(end)) {
            throw new IllegalArgumentException(
                    "time must lie before " + end + ", where that of layout " + layout + " ends: " + instant);
        }
        return Duration.between(first, instant).toMillis();
    }

    private static Instant beginning(SnowcastEpoch epoch) {
        return Instant.ofEpochMilli(epoch.getEpochOffset());
    }

    /**
     * Writes an ID with the digits 0-9, A-Z, a-z. Compared by their character codes, such texts have the order of the
     * unsigned IDs. In a database that ignores case, the texts of distinct IDs may compare as equal.
     *
     * @param id any ID
     * @return 11 characters
     */
    public static String toBase62(long id) {
        return BaseN.BASE62.encode(id);
    }

    /**
     * {@return the ID that {@link #toBase62} wrote}
     *
     * @param text 11 characters of 0-9, A-Z, a-z
     * @throws IllegalArgumentException if {@code text} has another length, has another character, or is greater than
     *     2<sup>64</sup> - 1
     */
    public static long parseBase62(String text) {
        return BaseN.BASE62.decode(Objects.requireNonNull(text, "text"));
    }

    /**
     * Writes an ID in <a href="https://www.crockford.com/base32.html">Crockford's Base32</a>, which is made for people
     * who read it aloud and type it. Such texts have the order of the unsigned IDs, even if a comparison ignores case.
     *
     * @param id any ID
     * @return 13 characters of 0-9 and A-Z without I, L, O and U
     */
    public static String toBase32(long id) {
        return BaseN.BASE32.encode(id);
    }

    /**
     * {@return the ID that {@link #toBase32} wrote} Accepts lower case, too, and reads O as 0, and I and L as 1.
     * Several texts can therefore mean the same ID: compare IDs, not texts. The width is fixed; hyphens, which
     * Crockford allows anywhere, are therefore rejected.
     *
     * @param text 13 characters of 0-9 and A-Z without U, in upper or lower case
     * @throws IllegalArgumentException if {@code text} has another length, has another character, or is greater than
     *     2<sup>64</sup> - 1
     */
    public static long parseBase32(String text) {
        return BaseN.BASE32.decode(Objects.requireNonNull(text, "text"));
    }

    /**
     * {@return the ID of a text with a prefix, such as {@code ord_0N77GAC8R1A07}} The text after the prefix is parsed
     * as {@linkplain #parseBase62 Base62} if it has 11 characters, otherwise as {@linkplain #parseBase32 Base32}.
     *
     * @param prefix the prefix, such as {@code ord_}
     * @param text the prefix and 13 or 11 characters
     * @throws IllegalArgumentException if {@code text} does not begin with the prefix, or if what follows is not an ID
     */
    public static long parsePrefixed(String prefix, String text) {
        if (!Objects.requireNonNull(text, "text").startsWith(Objects.requireNonNull(prefix, "prefix"))) {
            throw new IllegalArgumentException("ID must begin with " + prefix + ": " + BaseN.echo(text));
        }
        String id = text.substring(prefix.length());
        return id.length() == 11 ? parseBase62(id) : parseBase32(id);
    }

    /**
     * {@return the ID that {@link #toString()} wrote} Rejects any other spelling, such as one with fewer or more
     * digits.
     *
     * @param text the readable form of an ID
     * @param layout the layout of its sequencer
     * @param epoch the epoch of its sequencer
     * @throws IllegalArgumentException if {@code text} does not have this form, or its time, node ID or counter is not
     *     within the layout and epoch
     */
    public static SnowflakeId parse(String text, SnowcastLayout layout, SnowcastEpoch epoch) {
        Matcher parts = READABLE.matcher(Objects.requireNonNull(text, "text"));
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(epoch, "epoch");
        if (!parts.matches()) {
            throw new IllegalArgumentException("ID must be written like " + EXAMPLE + ": " + BaseN.echo(text));
        }
        long timestampMillis = timestampMillis(parseInstant(text, parts.end(1)), layout, epoch);
        int node = parseNumber(text, parts, 2, "node ID", layout.logicalNodeCount() - 1);
        int counter = parseNumber(text, parts, 3, "counter", layout.idsPerMillisecond() - 1);
        SnowflakeId id = new SnowflakeId(layout.compose(timestampMillis, node, counter), layout, epoch);
        // The parser of instants accepts more than the formatter writes: offsets, hour 24, leap seconds.
        if (!id.toString().equals(text)) {
            throw new IllegalArgumentException("ID must be written " + id + ": " + BaseN.echo(text));
        }
        return id;
    }

    private static Instant parseInstant(String text, int end) {
        try {
            return INSTANT.parse(text.substring(0, end), Instant::from);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "ID must begin with a time like " + EXAMPLE.substring(0, EXAMPLE.indexOf('Z') + 1)
                            + "; wrong at index " + e.getErrorIndex() + ": " + BaseN.echo(text),
                    e);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("ID must have a time that exists: " + BaseN.echo(text), e);
        }
    }

    private static int parseNumber(String text, Matcher parts, int part, String what, int max) {
        long number = Long.parseLong(parts.group(part));
        if (number > max) {
            throw new IllegalArgumentException(what + " must be 0 to " + max + ", not " + parts.group(part)
                    + " at index " + parts.start(part) + ": " + BaseN.echo(text));
        }
        return (int) number;
    }

    /**
     * Writes this ID for people: the instant in UTC with three digits of milliseconds, the node ID and the counter with
     * at least four digits each. Years before 0 and after 9999 have a sign, as in {@link Instant#toString()}.
     *
     * @return for example {@code 2026-11-21T03:42:17.123Z-0042-0007}
     */
    @Override
    public String toString() {
        return INSTANT.format(instant()) + String.format(Locale.ROOT, "-%04d-%04d", logicalNodeId(), counter());
    }

    /**
     * Writes this ID as a UUID of version 7 (RFC 9562), from the highest bit to the lowest:
     *
     * <pre>{@code
     * | ms since 1970 | version 7 | 0  | variant 2 | 0  | node ID | counter |
     * |    48 bits    |     4     | 12 |     2     | 14 |      16      |   32    |
     * }</pre>
     *
     * <p>No bit is random: the UUID is as easily guessed as the ID. UUIDs of one sequencer are as unique as its IDs. If
     * IDs of two sequencers have the same time, node ID and counter, their UUIDs are equal, even if the IDs differ.
     *
     * <p>UUIDs of one epoch and layout have the order of their unsigned IDs if compared as text or by their bytes.
     * {@link UUID#compareTo} compares signed numbers, and therefore gives this order only until the year 6429.
     *
     * @return for example {@code 01a1fc32-9a23-7000-8000-002a00000007}
     * @throws ArithmeticException if the time of this ID lies before 1970, or does not fit into 48 bits (it lies after
     *     10889-08-02)
     */
    public UUID toUuid() {
        long unixMillis = epoch.getEpochOffset() + layout.timestampValue(value);
        if (unixMillis >>> 48 != 0) {
            throw new ArithmeticException("a UUID has times from 1970-01-01T00:00:00Z to "
                    + Instant.ofEpochMilli((1L << 48) - 1) + ", not that of " + this);
        }
        return new UUID(unixMillis << 16 | UUID_VERSION, UUID_VARIANT << 48 | (long) logicalNodeId() << 32 | counter());
    }

    /**
     * {@return the ID that {@link #toUuid()} wrote} With a layout or epoch other than that of its sequencer, the result
     * is a wrong ID or an exception.
     *
     * @param uuid a UUID of version 7 whose unused bits are 0
     * @param layout the layout of its sequencer
     * @param epoch the epoch of its sequencer
     * @throws IllegalArgumentException if {@code uuid} does not have this form, or its time, node ID or counter is not
     *     within the layout and epoch
     */
    public static SnowflakeId ofUuid(UUID uuid, SnowcastLayout layout, SnowcastEpoch epoch) {
        long time = Objects.requireNonNull(uuid, "uuid").getMostSignificantBits();
        long parts = uuid.getLeastSignificantBits();
        if ((time & 0xFFFF) != UUID_VERSION || parts >>> 48 != UUID_VARIANT) {
            throw new IllegalArgumentException("UUID must be that of an ID, with 7000-8000 in its middle: " + uuid);
        }
        long timestampMillis = timestampMillis(Instant.ofEpochMilli(time >>> 16), layout, epoch);
        long node = parts >>> 32 & 0xFFFF;
        long counter = parts & 0xFFFF_FFFFL;
        if (node >= layout.logicalNodeCount() || counter >= layout.idsPerMillisecond()) {
            throw new IllegalArgumentException("UUID must have a node ID of 0 to "
                    + (layout.logicalNodeCount() - 1) + " and a counter of 0 to " + (layout.idsPerMillisecond() - 1)
                    + " with " + layout + ", not " + node + " and " + counter + ": " + uuid);
        }
        return new SnowflakeId(layout.compose(timestampMillis, (int) node, (int) counter), layout, epoch);
    }

    /** Compares the IDs, unsigned; then, to be consistent with {@link #equals}, epoch and layout. */
    @Override
    public int compareTo(SnowflakeId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SnowflakeId id
                && id.value == value
                && id.layout.equals(layout)
                && id.epoch.equals(epoch);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value);
    }
}
