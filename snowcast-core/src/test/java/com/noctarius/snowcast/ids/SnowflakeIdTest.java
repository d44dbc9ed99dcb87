// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the text forms, parts and bounds of an ID. {@code -Dsnowcast.seed=…} repeats the seed of a failure. */
class SnowflakeIdTest {
    private static final SnowcastLayout DEFAULT = SnowcastLayout.DEFAULT;
    private static final Instant BEGIN = Instant.parse("2024-01-01T00:00:00Z");
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(BEGIN);
    private static final long ID = 764_750_276_312_737_799L;

    private final long seed = Long.getLong("snowcast.seed", new Random().nextLong());
    private final Random random = new Random(seed);

    static Stream<SnowcastLayout> layouts() {
        return Stream.of(
                DEFAULT,
                SnowcastLayout.POSITIVE,
                SnowcastLayout.JAVASCRIPT,
                SnowcastLayout.forMaxLogicalNodeCount(128),
                SnowcastLayout.forMaxLogicalNodeCount(1_024),
                new SnowcastLayout(42, 12, 10),
                new SnowcastLayout(41, 16, 7),
                new SnowcastLayout(42, 16, 6),
                new SnowcastLayout(42, 1, 0),
                new SnowcastLayout(40, 2, 22),
                new SnowcastLayout(1, 1, 0));
    }

    /**
     * Returns epochs from the first to the last possible millisecond, some of them at the ends of the years -10001, -1,
     * 1969 and 9999.
     */
    private static List<SnowcastEpoch> epochs() {
        return Stream.of(
                        Long.MIN_VALUE,
                        Instant.parse("-10001-12-31T23:59:59.999Z").toEpochMilli(),
                        Instant.parse("-0001-12-31T23:59:59.999Z").toEpochMilli(),
                        -1L,
                        0L,
                        EPOCH.getEpochOffset(),
                        Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli(),
                        Long.MAX_VALUE)
                .map(SnowcastEpoch::byTimestamp)
                .toList();
    }

    private long randomId(SnowcastLayout layout) {
        long bits = random.nextLong();
        return switch (random.nextInt(8)) {
            case 0 -> greatest(layout);
            case 1 -> 0;
            default -> bits & greatest(layout);
        };
    }

    private static long greatest(SnowcastLayout layout) {
        return -1L >>> (Long.SIZE - layout.timestampBits() - layout.logicalNodeBits() - layout.counterBits());
    }

    private static SnowflakeId id(long id) {
        return SnowflakeId.of(id, DEFAULT, EPOCH);
    }

    @Test
    void takesLayoutAndEpochFromASequencer() {
        SequencerConfig config = SequencerConfig.builder("orders")
                .epoch(EPOCH)
                .layout(SnowcastLayout.POSITIVE)
                .build();
        SnowcastSequencer sequencer = SnowcastSystem.standaloneSequencer(config, 42);

        assertThat(SnowflakeId.of(ID, sequencer)).isEqualTo(SnowflakeId.of(ID, SnowcastLayout.POSITIVE, EPOCH));
    }

    /** An invalid text may come from a URL, so a message must shorten it and keep it on one line of a log. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "1-", "1-0000000000000", "2026-11-21T03:42:17.123Z-0042-0007", "9"})
    void repeatsNoMoreThanAHundredCharactersOnOneLine(String start) {
        String text = start + "\n\r\0" + "x".repeat(1_000_000);
        SnowcastEpoch epoch = SnowcastEpoch.byTimestamp(0);
        List<ThrowingCallable> readers = List.of(
                () -> PublicId.parse(text),
                () -> SnowflakeId.parseBase32(text),
                () -> SnowflakeId.parseBase62(text),
                () -> SnowflakeId.parse(text, SnowcastLayout.DEFAULT, epoch),
                () -> SnowflakeId.parse(text + "-1", SnowcastLayout.DEFAULT, epoch),
                () -> SnowflakeId.parse(
                        "2026-11-21T03:42:17.123Z-0042-" + "9".repeat(1_000_000), SnowcastLayout.DEFAULT, epoch));
        for (ThrowingCallable reader : readers) {
            assertThatIllegalArgumentException()
                    .isThrownBy(reader)
                    .satisfies(
                            e -> assertThat(e.getMessage()).hasSizeLessThan(350).doesNotContainPattern("\\p{Cntrl}"));
        }
    }

    @Test
    void documentShowsTheSameIdInEachForm() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "ids.md")))
                .contains(
                        "`" + ID + "`",
                        "`" + SnowflakeId.toBase62(ID) + "`",
                        "`" + SnowflakeId.toBase32(ID) + "`",
                        "`" + id(ID) + "`");
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void idsComeBackFromEachForm(SnowcastLayout layout) {
        for (SnowcastEpoch epoch : epochs()) {
            for (int i = 0; i < 100; i++) {
                SnowflakeId id = SnowflakeId.of(randomId(layout), layout, epoch);
                String description = "-Dsnowcast.seed=" + seed + ": " + id;
                assertThat(List.of(
                                SnowflakeId.parse(id.toString(), layout, epoch).value(),
                                SnowflakeId.parseBase62(SnowflakeId.toBase62(id.value())),
                                SnowflakeId.parseBase32(SnowflakeId.toBase32(id.value()))))
                        .as(description)
                        .containsOnly(id.value());
                assertThat(Duration.between(Instant.ofEpochMilli(epoch.getEpochOffset()), id.instant()))
                        .as(description)
                        .isEqualTo(Duration.ofMillis(layout.timestampValue(id.value())));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void refusesBitsBeyondTheLayout(SnowcastLayout layout) {
        long greatest = greatest(layout);
        assertThat(SnowflakeId.of(greatest, layout, EPOCH).value()).isEqualTo(greatest);
        for (long beyond = greatest + 1; beyond != 0; beyond <<= 1) {
            long id = beyond;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SnowflakeId.of(id, layout, EPOCH))
                    .withMessage("ID must be at most " + greatest + " with layout " + layout + ", unsigned: "
                            + Long.toUnsignedString(id));
        }
    }

    // --- the readable form

    @ParameterizedTest
    @CsvSource({
        "-9223372036854775808, 0, 0, 0, -292275055-05-16T16:47:04.192Z-0000-0000",
        "-377705116800001, 0, 1, 2, -10000-12-31T23:59:59.999Z-0001-0002",
        "-62198755200000, 0, 0, 0, -0001-01-01T00:00:00.000Z-0000-0000",
        "-62167219200001, 1, 0, 0, 0000-01-01T00:00:00.000Z-0000-0000",
        "-1, 0, 8191, 1023, 1969-12-31T23:59:59.999Z-8191-1023",
        "0, 120, 10, 100, 1970-01-01T00:00:00.120Z-0010-0100",
        "253402300799999, 0, 0, 999, 9999-12-31T23:59:59.999Z-0000-0999",
        "253402300799999, 1, 0, 1000, +10000-01-01T00:00:00.000Z-0000-1000",
        "9223372036854775807, 1, 0, 0, +292278994-08-17T07:12:55.808Z-0000-0000"
    })
    void readableForm(long epochOffset, long timestamp, int node, int counter, String text) {
        SnowcastEpoch epoch = SnowcastEpoch.byTimestamp(epochOffset);
        SnowflakeId id = SnowflakeId.of(DEFAULT.compose(timestamp, node, counter), DEFAULT, epoch);

        assertThat(id).hasToString(text);
        assertThat(SnowflakeId.parse(text, DEFAULT, epoch)).isEqualTo(id);
    }

    @Test
    void readableFormHasMoreDigitsWhereTheLayoutHasMore() {
        SnowcastLayout layout = new SnowcastLayout(40, 2, 22);
        SnowflakeId id = SnowflakeId.of(layout.compose(0, 3, 4_194_303), layout, EPOCH);

        assertThat(id).hasToString("2024-01-01T00:00:00.000Z-0003-4194303");
        assertThat(SnowflakeId.parse(id.toString(), layout, EPOCH)).isEqualTo(id);
    }

    @Test
    void readsTextsWithAPrefixInBothForms() {
        long id = -7;
        assertThat(SnowflakeId.parsePrefixed("ord_", "ord_" + SnowflakeId.toBase32(id)))
                .isEqualTo(id);
        assertThat(SnowflakeId.parsePrefixed("ord_", "ord_" + SnowflakeId.toBase62(id)))
                .isEqualTo(id);
        assertThat(SnowflakeId.parsePrefixed("", SnowflakeId.toBase32(id))).isEqualTo(id);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeId.parsePrefixed("ord_", "inv_0N77GAC8R1A07"))
                .withMessage("ID must begin with ord_: \"inv_0N77GAC8R1A07\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeId.parsePrefixed("ord_", "ord_0N77GAC8R1A0"))
                .withMessage("Base32 must have 13 characters, not 12: \"0N77GAC8R1A0\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeId.parsePrefixed("ord_", "ord_0uUYzTIeNf!"))
                .withMessage("Base62 must consist of 0-9, A-Z and a-z, not '!' at index 10: \"0uUYzTIeNf!\"");
    }

    /** Each row is a text, and the message without the text at its end. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "2026-11-21T03:42:17Z-0042-0007|ID must begin with a time like 2026-11-21T03:42:17.123Z; wrong at index 19",
                "2026-11-21T03:42:17.123+01:00-0042-0007|ID must be written 2026-11-21T02:42:17.123Z-0042-0007",
                "2026-02-30T03:42:17.123Z-0042-0007|ID must begin with a time like 2026-11-21T03:42:17.123Z; wrong at index 0",
                "2026-11-21T03:42:17.123Z-8192-0007|node ID must be 0 to 8191, not 8192 at index 25",
                "2026-11-21T03:42:17.123Z-0042-1024|counter must be 0 to 1023, not 1024 at index 30",
                // 2^32 + 7
                "2026-11-21T03:42:17.123Z-0042-4294967303|counter must be 0 to 1023, not 4294967303 at index 30",
                "2026-11-21T03:42:17.123Z-00042-0007|ID must be written 2026-11-21T03:42:17.123Z-0042-0007",
                "2026-11-21t03:42:17.123z-0042-0007|ID must begin with a time like 2026-11-21T03:42:17.123Z; wrong at index 10",
                "2026-11-20T24:00:00.000Z-0042-0007|ID must be written 2026-11-21T00:00:00.000Z-0042-0007",
                "2026-12-31T23:59:60.000Z-0042-0007|ID must be written 2026-12-31T23:59:59.000Z-0042-0007",
                " 2026-11-21T03:42:17.123Z-0042-0007|ID must begin with a time like 2026-11-21T03:42:17.123Z; wrong at index 0"
            })
    void refusesWhatIsNotTheReadableFormOfAnId(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeId.parse(text, DEFAULT, EPOCH))
                .withMessage(message + ": \"" + text + '"');
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0042-0007",
                "2026-11-21T03:42:17.123Z",
                "2026-11-21T03:42:17.123Z-42-0007",
                "2026-11-21T03:42:17.123Z-0042-",
                "2026-11-21T03:42:17.123Z-0x42-0007",
                "2026-11-21T03:42:17.123Z-0042-000\u0667",
                "2026-11-21T03:42:17.123Z-0042-18446744073709551623" // 2^64 + 7
            })
    void saysHowAnIdIsWritten(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeId.parse(text, DEFAULT, EPOCH))
                .withMessage("ID must be written like 2026-11-21T03:42:17.123Z-0042-0007: \"" + text + '"');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2023-12-31T23:59:59.999Z|time must not lie before the epoch 2024-01-01T00:00:00Z: ",
                "2093-09-06T15:47:35.552Z|time must lie before 2093-09-06T15:47:35.552Z, where that of layout 41/13/10 ends: ",
                "+999999999-12-31T23:59:59.999Z|time must lie before 2093-09-06T15:47:35.552Z, where that of layout 41/13/10 ends: "
            })
    void refusesATimeOutsideTheLayout(String time, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeId.parse(time + "-0042-0007", DEFAULT, EPOCH))
                .withMessage(message.strip() + ' ' + time);
    }

    // --- Base62 and Base32

    @Test
    void base62AndBase32AreWhatArithmeticSays() {
        for (int i = 0; i < 5_000; i++) {
            long id = random.nextLong() >>> random.nextInt(Long.SIZE);
            assertThat(SnowflakeId.toBase62(id))
                    .as("-Dsnowcast.seed=%d", seed)
                    .isEqualTo(digits(id, 11, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"));
            assertThat(SnowflakeId.toBase32(id))
                    .as("-Dsnowcast.seed=%d", seed)
                    .isEqualTo(digits(id, 13, "0123456789ABCDEFGHJKMNPQRSTVWXYZ"));
        }
    }

    private static String digits(long id, int width, String alphabet) {
        BigInteger radix = BigInteger.valueOf(alphabet.length());
        StringBuilder digits = new StringBuilder();
        for (BigInteger rest = unsigned(id); digits.length() < width; rest = rest.divide(radix)) {
            digits.insert(0, alphabet.charAt(rest.mod(radix).intValue()));
        }
        return digits.toString();
    }

    private static BigInteger unsigned(long id) {
        return new BigInteger(Long.toUnsignedString(id));
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void textsSortAsIdsDo(SnowcastLayout layout) {
        for (int i = 0; i < 1_000; i++) {
            SnowflakeId first = SnowflakeId.of(randomId(layout), layout, EPOCH);
            long near = (first.value() ^ 1L << random.nextInt(Long.SIZE)) & greatest(layout);
            SnowflakeId second = SnowflakeId.of(random.nextBoolean() ? near : randomId(layout), layout, EPOCH);
            int order = unsigned(first.value()).compareTo(unsigned(second.value()));
            String description = "-Dsnowcast.seed=" + seed + ": " + first + ", " + second;

            assertThat(List.of(
                            first.compareTo(second),
                            sign(SnowflakeId.toBase62(first.value()), SnowflakeId.toBase62(second.value())),
                            sign(SnowflakeId.toBase32(first.value()), SnowflakeId.toBase32(second.value()))))
                    .as(description)
                    .containsOnly(order);
            if (Math.max(layout.idsPerMillisecond(), layout.logicalNodeCount()) <= 10_000) {
                assertThat(sign(first.toString(), second.toString()))
                        .as(description)
                        .isEqualTo(order);
            }
        }
    }

    private static int sign(String first, String second) {
        return Integer.signum(first.compareTo(second));
    }

    @ParameterizedTest
    @CsvSource({"0n77gac8r1a07", "ON77GAC8RIAO7", "on77gac8rla07", "0N77GAC8RLAo7", "0n77GAC8RiA07"})
    void base32ReadsLowerCaseAndLettersThatLookLikeDigits(String text) {
        assertThat(SnowflakeId.parseBase32(text)).isEqualTo(ID);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|Base62 must have 11 characters, not 0",
                "00uUYzTIeNfz|Base62 must have 11 characters, not 12",
                "\u00fcuUYzTIeNfz|Base62 must consist of 0-9, A-Z and a-z, not '\u00fc' at index 0",
                "0uUYzTIeN\uD83D\uDE00|Base62 must consist of 0-9, A-Z and a-z, not '\uD83D\uDE00' at index 9",
                "LygHa16AHYG|Base62 must be at most LygHa16AHYF, which is 2^64 - 1",
                "0N77GAC8R1A0|Base32 must have 13 characters, not 12",
                "0N77GAC-R1A07|Base32 must consist of 0-9 and A-Z without U, not '-' at index 7",
                "uN77GAC8R1A07|Base32 must consist of 0-9 and A-Z without U, not 'u' at index 0",
                "G000000000000|Base32 must be at most FZZZZZZZZZZZZ, which is 2^64 - 1"
            })
    void refusesWhatIsNeitherBase62NorBase32(String text, String message) {
        ToLongFunction<String> parser =
                message.startsWith("Base62") ? SnowflakeId::parseBase62 : SnowflakeId::parseBase32;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parser.applyAsLong(text))
                .withMessage(message + ": \"" + text + '"');
    }

    /**
     * Changes, inserts or removes one character. The parser must reject the text, or return the ID that has this text.
     * In Base32, lower-case letters count as capitals, O as 0, and I and L as 1.
     */
    @Test
    @Tag("integration")
    void damagedTextsAreRefusedOrMeanWhatTheySay() {
        int read = 0;
        for (int i = 0; i < 10_000; i++) {
            long value = randomId(DEFAULT);
            String readable = damaged(id(value).toString());
            String base62 = damaged(SnowflakeId.toBase62(value));
            String base32 = damaged(SnowflakeId.toBase32(value));
            String plain32 = base32.toUpperCase(Locale.ROOT)
                    .replace('O', '0')
                    .replace('I', '1')
                    .replace('L', '1');
            read += assertMeans(
                    readable,
                    readable,
                    text -> SnowflakeId.parse(text, DEFAULT, EPOCH).toString());
            read += assertMeans(base62, base62, text -> SnowflakeId.toBase62(SnowflakeId.parseBase62(text)));
            read += assertMeans(base32, plain32, text -> SnowflakeId.toBase32(SnowflakeId.parseBase32(text)));
        }
        assertThat(read).isBetween(2_000, 28_000);
    }

    private int assertMeans(String text, String plain, UnaryOperator<String> readAndWrite) {
        String written;
        try {
            written = readAndWrite.apply(text);
        } catch (IllegalArgumentException e) {
            assertThat(e).as("-Dsnowcast.seed=%d: %s", seed, text).isExactlyInstanceOf(IllegalArgumentException.class);
            return 0;
        }
        assertThat(written).as("-Dsnowcast.seed=%d: %s", seed, text).isEqualTo(plain);
        return 1;
    }

    private String damaged(String text) {
        String characters = "0123456789ABCXYZabcxyzIOLUilou-+:.T \u0660\u00c5\uff21";
        char other = characters.charAt(random.nextInt(characters.length()));
        int at = random.nextInt(text.length());
        return switch (random.nextInt(4)) {
            case 0 -> text.substring(0, at) + text.substring(at + 1);
            case 1 -> text.substring(0, at) + other + text.substring(at);
            default -> text.substring(0, at) + other + text.substring(at + 1);
        };
    }

    // --- bounds

    @ParameterizedTest
    @MethodSource("layouts")
    void boundsOfAMillisecondTouchThoseOfItsNeighbours(SnowcastLayout layout) {
        for (SnowcastEpoch epoch : epochs()) {
            for (int i = 0; i < 50; i++) {
                SnowflakeId id = SnowflakeId.of(randomId(layout), layout, epoch);
                long lowest = SnowflakeId.lowestId(id.instant(), layout, epoch);
                long highest = SnowflakeId.highestId(id.instant(), layout, epoch);
                String description = "-Dsnowcast.seed=" + seed + ": " + id;

                assertThat(List.of(SnowflakeId.of(lowest, layout, epoch), id, SnowflakeId.of(highest, layout, epoch)))
                        .as(description)
                        .isSorted()
                        .extracting(SnowflakeId::instant)
                        .containsOnly(id.instant());
                if (highest != greatest(layout)) {
                    assertThat(SnowflakeId.lowestId(id.instant().plusMillis(1), layout, epoch))
                            .as(description)
                            .isEqualTo(highest + 1);
                }
            }
        }
    }

    @Test
    void finerInstantsAreCutToTheBeginningOfTheirMillisecond() {
        Instant instant = Instant.parse("2026-11-21T03:42:17.123Z");
        long lowest = DEFAULT.compose(Duration.between(BEGIN, instant).toMillis(), 0, 0);
        for (Instant within : List.of(instant, instant.plusNanos(1), instant.plusNanos(999_999))) {
            assertThat(SnowflakeId.lowestId(within, DEFAULT, EPOCH)).isEqualTo(lowest);
            assertThat(SnowflakeId.highestId(within, DEFAULT, EPOCH)).isEqualTo(lowest + (1 << 23) - 1);
        }
        assertThat(SnowflakeId.lowestId(instant.minusNanos(1), DEFAULT, EPOCH)).isEqualTo(lowest - (1 << 23));
    }

    @Test
    void finerInstantsAreCutTowardsThePastAlsoBefore1970() {
        SnowcastEpoch epoch = SnowcastEpoch.byTimestamp(-10);
        assertThat(SnowflakeId.lowestId(Instant.ofEpochMilli(-5).plusNanos(1), DEFAULT, epoch))
                .isEqualTo(DEFAULT.compose(5, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "2023-12-31T23:59:59.999999999Z,    not lie before the epoch 2024-01-01T00:00:00Z",
        "-1000000000-01-01T00:00:00Z,       not lie before the epoch 2024-01-01T00:00:00Z",
        "2093-09-06T15:47:35.552Z,          'lie before 2093-09-06T15:47:35.552Z, where that of layout 41/13/10 ends'",
        "+1000000000-12-31T23:59:59.999999999Z, 'lie before 2093-09-06T15:47:35.552Z, where that of layout 41/13/10 ends'"
    })
    void noIdHasATimeBeforeTheEpochOrBeyondItsLayout(Instant instant, String must) {
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> SnowflakeId.lowestId(instant, DEFAULT, EPOCH),
                () -> SnowflakeId.highestId(instant, DEFAULT, EPOCH))) {
            assertThatIllegalArgumentException().isThrownBy(call).withMessage("time must " + must + ": " + instant);
        }
    }

    /**
     * Tests the condition of the query in docs/ids.md, which selects the IDs between two bounds. As a signed number,
     * the lower bound may be above the upper bound. The query then selects each ID that is at least the lower bound, or
     * at most the upper bound.
     */
    @Test
    void signedColumnsFindWhatLiesBetweenTwoInstants() {
        Instant signChange = BEGIN.plusMillis(1L << 40);
        List<SnowflakeId> ids = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            long timestamp = (1L << 40) - 50 + random.nextInt(100);
            ids.add(id(DEFAULT.compose(timestamp, random.nextInt(8_192), random.nextInt(1_024))));
        }
        for (int i = 0; i < 1_000; i++) {
            Instant from = signChange.plusMillis(random.nextInt(120) - 60);
            Instant to = from.plusMillis(random.nextInt(60));
            long low = SnowflakeId.lowestId(from, DEFAULT, EPOCH);
            long high = SnowflakeId.highestId(to, DEFAULT, EPOCH);

            assertThat(ids.stream()
                            .filter(id -> low <= high
                                    ? low <= id.value() && id.value() <= high
                                    : id.value() >= low || id.value() <= high))
                    .as("-Dsnowcast.seed=%d: %s to %s", seed, from, to)
                    .isEqualTo(ids.stream()
                            .filter(id -> !id.instant().isBefore(from)
                                    && !id.instant().isAfter(to))
                            .toList());
        }
    }

    // --- equality, order and null

    @Test
    void idsAreEqualWhenIdLayoutAndEpochAre() {
        SnowflakeId id = id(ID);
        assertThat(id).isEqualTo(id(ID)).hasSameHashCodeAs(id(ID)).isEqualByComparingTo(id(ID));
        List<SnowflakeId> others = List.of(
                id(ID + 1),
                SnowflakeId.of(ID, DEFAULT, SnowcastEpoch.byTimestamp(0)),
                SnowflakeId.of(ID, new SnowcastLayout(40, 13, 10), EPOCH),
                SnowflakeId.of(ID, new SnowcastLayout(41, 12, 10), EPOCH),
                SnowflakeId.of(ID, new SnowcastLayout(41, 13, 9), EPOCH));
        for (SnowflakeId other : others) {
            assertThat(id).isNotEqualTo(other);
            assertThat(Integer.signum(id.compareTo(other))).isNotZero().isEqualTo(-Integer.signum(other.compareTo(id)));
        }
        assertThat(new TreeSet<>(others)).hasSameSizeAs(others);
        assertThat(id).isNotEqualTo(ID);
    }
}
