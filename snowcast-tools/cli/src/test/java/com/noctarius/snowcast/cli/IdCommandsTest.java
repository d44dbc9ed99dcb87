// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdCommandsTest {
    private static final String EPOCH = "2024-01-01";
    private static final String ID = "764750276312737799";
    private static final String ROW =
            "  764750276312737799  2026-11-21T03:42:17.123Z     42        7  0uUYzTIeNfz  0N77GAC8R1A07\n";
    private static final String HEADER =
            "                  ID  time                       node  counter  Base62       Base32\n";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    // --- decode

    @ParameterizedTest
    @ValueSource(
            strings = {
                ID,
                "0uUYzTIeNfz",
                "0N77GAC8R1A07",
                "0n77gac8rla07",
                "2026-11-21T03:42:17.123Z-0042-0007",
                "01a1fc32-9a23-7000-8000-002a00000007"
            })
    void everyFormIsDecoded(String form) {
        CommandRun run = CommandRun.of("decode", "--epoch", EPOCH, form);
        assertThat(run).isEqualTo(new CommandRun(ExitCode.DONE, HEADER + ROW, ""));
    }

    @Test
    void epochIsADateAnInstantOrMilliseconds() {
        for (String epoch : List.of(EPOCH, "2024-01-01T00:00:00Z", "1704067200000")) {
            assertThat(CommandRun.of("decode", "--epoch", epoch, ID).out()).isEqualTo(HEADER + ROW);
        }
    }

    @Test
    void epochInTheFutureIsWrongUse() {
        CommandRun run = CommandRun.of("decode", "--epoch", "2999-01-01", ID);
        assertThat(run.exitCode()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(run.err()).startsWith("epoch must not lie in the future");
    }

    @Test
    void jsonHasAllForms() {
        assertThat(CommandRun.of("decode", "--epoch", EPOCH, "--output", "json", ID)
                        .out())
                .isEqualTo("{\"id\": \"764750276312737799\", \"unsigned\": \"764750276312737799\","
                        + " \"time\": \"2026-11-21T03:42:17.123Z\", \"logicalNodeId\": 42, \"counter\": 7,"
                        + " \"base62\": \"0uUYzTIeNfz\", \"base32\": \"0N77GAC8R1A07\","
                        + " \"readable\": \"2026-11-21T03:42:17.123Z-0042-0007\","
                        + " \"uuid\": \"01a1fc32-9a23-7000-8000-002a00000007\"}\n");
    }

    @Test
    void idsOfBit63AreReadSignedAndUnsigned() {
        String json = CommandRun.of("decode", "--epoch", EPOCH, "--output", "json", "18446744073709551615")
                .out();
        assertThat(json).contains("\"id\": \"-1\", \"unsigned\": \"18446744073709551615\"");
        assertThat(CommandRun.of("decode", "--epoch", EPOCH, "--output", "json", "-1")
                        .out())
                .isEqualTo(json);
    }

    @Test
    void idsBefore1970HaveNoUuid() {
        CommandRun run = CommandRun.of("decode", "--epoch", "1960-01-01", "--output", "json", "7");
        assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(run.out()).contains("1960-01-01T00:00:00Z").doesNotContain("uuid");
    }

    @Test
    void columnOfTheInputIsDecoded() {
        assertThat(CommandRun.withInput(ID + "\n\n" + ID + "\n", "decode", "--epoch", EPOCH)
                        .out())
                .isEqualTo(HEADER + ROW + ROW);
        assertThat(CommandRun.withInput("a  " + ID + " b\n", "decode", "--epoch", EPOCH, "--column", "2")
                        .out())
                .isEqualTo(HEADER + ROW);
    }

    @Test
    void columnOfCsvIsDecoded() throws IOException {
        Path file = directory.resolve("orders.csv");
        Files.writeString(file, "name,\"id\"\n\"a, \"\"b\"\"\",\"" + ID + "\"\r\n");
        assertThat(CommandRun.of("decode", "--epoch", EPOCH, "--csv", "--column", "id", "--file", file.toString())
                        .out())
                .isEqualTo(HEADER + ROW);
        assertThat(CommandRun.withInput(
                                "id;x\n1;" + ID,
                                "decode",
                                "--epoch",
                                EPOCH,
                                "--csv",
                                "--delimiter",
                                ";",
                                "--header",
                                "--column",
                                "2")
                        .out())
                .isEqualTo(HEADER + ROW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "12,x      | --csv --column 3 | line 1: row must have column 3, and has only 2",
                "a,b       | --csv --column c | column must be a number, or one of [a, b] in the first line: c",
                "'1,\"x'   | --csv            | line 1: a quoted value must end in the same line",
                "1x        |                  | line 1: an ID is a number, or has 11 characters (Base62, such as 0uUYzTIeNfz), 13 (Base32, such as 0N77GAC8R1A07), 36 (a UUID), or is readable, such as 2026-11-21T03:42:17.123Z-0042-0007; give a prefix such as ord_ by --prefix: 1x",
                "99999999999999999999 | | line 1: ID must be a number of 64 bits, signed or unsigned: 99999999999999999999"
            })
    void wrongInputIsSaidWithItsLine(String input, String options, String message) {
        List<String> arguments = new ArrayList<>(List.of("decode", "--epoch", EPOCH));
        if (options != null) {
            arguments.addAll(List.of(options.split(" ")));
        }
        CommandRun run = CommandRun.withInput(input, arguments.toArray(String[]::new));
        assertThat(run).isEqualTo(new CommandRun(ExitCode.WRONG_USE, "", message + System.lineSeparator()));
    }

    // --- profiles

    @Test
    void profileHasEpochAndLayout() throws IOException {
        Path file = directory.resolve("profiles");
        Files.writeString(file, "orders.epoch=2024-01-01\nusers.epoch=2020-01-01\nusers.layout=positive\n");
        assertThat(CommandRun.of("decode", "--profile", "orders", "--profiles", file.toString(), ID)
                        .out())
                .isEqualTo(HEADER + ROW);
        CommandRun users = CommandRun.of(
                "", Map.of(Definition.PROFILES_VARIABLE, file.toString()), null, "decode", "--profile", "users", "5");
        assertThat(users.out()).contains("2020-01-01T00:00:00Z").contains("      0        5");
        assertThat(CommandRun.of("decode", "--profile", "carts", "--profiles", file.toString(), ID))
                .isEqualTo(new CommandRun(
                        ExitCode.WRONG_USE,
                        "",
                        "profile must be one of [orders, users] in " + file + ": carts" + System.lineSeparator()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"users.layuot", "usres.layout", "epoch", "users"})
    void aMistypedKeyOfAProfileIsRefused(String key) throws IOException {
        Path file = directory.resolve("profiles");
        Files.writeString(file, "users.epoch=2020-01-01\n" + key + "=positive\n");
        assertThat(CommandRun.of("decode", "--profile", "users", "--profiles", file.toString(), "5"))
                .isEqualTo(new CommandRun(
                        ExitCode.WRONG_USE,
                        "",
                        "key must be NAME.epoch, or NAME.layout next to NAME.epoch, in " + file + ": " + key
                                + System.lineSeparator()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "decode 1 | the epoch is missing: give --epoch, or a --profile",
                "decode --epoch 2024-01-01 1x1 | an ID is a number, or has 11 characters (Base62",
                "decode --epoch 2024 1 | epoch: a number means milliseconds since 1970, so 2024 is 1970-01-01T00:00:02.024Z",
                "decode --epoch 1704067200 1 | so 1704067200 is 1970-01-20T17:21:07.200Z; write a time before 2000 as an instant",
                "range --epoch 2024-01-01 --from 2025 | --from: a number means milliseconds since 1970, so 2025 is 1970",
                "decode --epoch 2024-01-01 --prefix ord_ usr_1 | ID must begin with --prefix ord_: usr_1",
                "decod 1 | Did you mean decode?",
                "decode --epok 2024-01-01 1 | Did you mean --epoch?",
                "generate orders --count 0 | --count must be 1 or more: 0",
                "status --interval 0 | must be like 500ms, 2s, 5m, 1h or PT2S: 0",
                "status --watch --interval 0s | --interval must be 10ms or more",
                "status --connect-timeout 0s | --connect-timeout must be 100ms or more",
                "destroy orders --yes --user ids | --user needs --jdbc",
                "generate orders --password-env P | --password-env needs --jdbc",
                "status --table-prefix shop | --table-prefix needs --jdbc",
                "status --times 2 | --times needs --watch",
                "status --interval 2s | --interval needs --watch",
                "status --jdbc jdbc:h2:mem:a --connect-timeout 2s | --jdbc must not be given together with --connect-timeout",
                "status --jdbc jdbc:h2:mem:a --password --password-env P | --password must not be given together with --password-env",
                "status --jdbc jdbc:h2:mem:a --password-file F --password-env P | --password-env must not be given together with --password-file",
                "encode --epoch 2024-01-01 --node 1 5 | --node needs --time",
                "encode --epoch 2024-01-01 --counter 1 5 | --counter needs --time",
                "decode --epoch 2024-01-01 --profiles /no/such/file 1 | --profiles needs --profile",
                "decode --epoch 2024-01-01 --delimiter ; --file /no/such/file | --delimiter needs --csv",
                "decode --epoch 2024-01-01 --file /no/such/file 1 | give either IDs or --file",
                "decode --epoch 2024-01-01 --csv 1 | give either IDs or --file, --csv, --column or --header",
                "decode --epoch 2024-01-01 --column id 1 | give either IDs or --file, --csv, --column or --header",
                "decode --epoch x 1 | epoch must be like 2024-01-01, 2024-01-01T00:00:00Z or 1704067200000: x",
                "decode --epoch 2024-01-01 --layout 41/13 1 | layout must be default, positive, javascript, or bits such as 41/13/10: 41/13",
                "decode --epoch 2024-01-01 --layout 41/17/6 1 | layout 41/17/6: logicalNodeBits must be 1 to 16: 17",
                "decode --epoch 2024-01-01 --profile orders 1 | --profile must not be given together with --epoch or --layout",
                "decode --profile orders --profiles /no/such/file 1 | there is no file /no/such/file",
                "decode --epoch 2024-01-01 --frobnicate 1 | Unknown option: '--frobnicate'",
                "decode --epoch 2024-01-01 --layout positive -1 | ID must be at most 9223372036854775807 with layout",
                "encode --epoch 2024-01-01 | give either IDs or --time",
                "encode --epoch 2024-01-01 --time 2025-01-01 --node 8192 | node must be 0 to 8191: 8192",
                "encode --epoch 2024-01-01 --time 2023-01-01 | time must not lie before the epoch",
                "encode --epoch 1960-01-01 --to uuid 7 | 1960-01-01T00:00:00",
                "range --epoch 2024-01-01 | Missing required option: '--from=TIME'",
                "range --epoch 2024-01-01 --from 2025-01-02 --to 2025-01-02 | --from must lie before --to",
                "range --epoch 2024-01-01 --from 2025-01-02 --to 2020-01-02 | --to must lie after the epoch",
                "decode --output xml 1 | Invalid value for option '--output'",
                "frobnicate | Unmatched argument at index 0: 'frobnicate'"
            })
    void wrongUseIsSaidWithoutAStackTrace(String line, String message) {
        CommandRun run = CommandRun.line(line);
        assertThat(run.err()).contains(message).doesNotContain("\tat ");
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    }

    @Test
    void theHelpIsShownWithAnyOptions() {
        CommandRun run = CommandRun.line("destroy orders --user ids --help");
        assertThat(run.out()).contains("--user");
        assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    }

    @Test
    void stackTraceIsShownOnDemand() {
        assertThat(CommandRun.line("decode --verbose 1").err()).contains("\tat ");
        assertThat(CommandRun.line("--verbose decode 1").err()).contains("\tat ");
    }

    @Test
    void timesBefore2000AreWrittenAsInstants() {
        assertThat(Definition.time("epoch", "1970-01-01T00:00:00Z")).isEqualTo(Instant.EPOCH);
        assertThat(Definition.time("epoch", "1960-01-01")).isBefore(Instant.EPOCH);
        assertThat(Definition.time("epoch", "946684800000")).isEqualTo(Instant.parse("2000-01-01T00:00:00Z"));
    }

    /** Control characters may come from a column of a file, or from a name in the cluster. */
    @Test
    void noInputMovesTheCursorOrSetsATitle() {
        for (String evil : List.of("\u001b]0;title\u0007", "\u009b2J", "\u202e", "\u007f")) {
            CommandRun header = CommandRun.withInput("a" + evil + ",b\n1,2\n", "verify", "--csv", "--column", "id");
            CommandRun id = CommandRun.withInput("1" + evil + "2\n", "decode", "--epoch", EPOCH);
            CommandRun number = CommandRun.withInput("1" + evil + "2\n", "verify");
            CommandRun argument = CommandRun.of("decode", "--epoch", EPOCH, "--" + evil);
            for (CommandRun run : List.of(header, id, number, argument)) {
                assertThat(run.exitCode()).isEqualTo(ExitCode.WRONG_USE);
                assertThat(run.out() + run.err()).doesNotContain(evil);
            }
        }
        Table table = new Table("name");
        table.row("a\u001b[2J\nb");
        assertThat(table.lines()).containsExactly("name", "a\\u001b[2J\\u000ab");
    }

    // --- encode

    @ParameterizedTest
    @CsvSource({
        "decimal, 764750276312737799",
        "base62, 0uUYzTIeNfz",
        "base32, 0N77GAC8R1A07",
        "readable, 2026-11-21T03:42:17.123Z-0042-0007",
        "uuid, 01a1fc32-9a23-7000-8000-002a00000007"
    })
    void idIsWrittenInEachForm(String form, String text) {
        assertThat(CommandRun.of("encode", "--epoch", EPOCH, "--to", form, ID).out())
                .isEqualTo(text + System.lineSeparator());
        assertThat(CommandRun.line("encode --epoch 2024-01-01 --time 2026-11-21T03:42:17.123Z --node 42 --counter 7"
                                + " --prefix x_ --to " + form)
                        .out())
                .isEqualTo("x_" + text + System.lineSeparator());
        assertThat(CommandRun.of("decode", "--epoch", EPOCH, "--prefix", "x_", "x_" + text)
                        .out())
                .isEqualTo(HEADER + ROW);
    }

    // --- range

    @Test
    void rangeIsHalfOpen() {
        CommandRun run =
                CommandRun.line("range --epoch 2024-01-01 --layout positive --from 2026-11-01 --to 2026-12-01");
        SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
        long first = SnowflakeId.lowestId(Instant.parse("2026-11-01T00:00:00Z"), SnowcastLayout.POSITIVE, epoch);
        long end = SnowflakeId.lowestId(Instant.parse("2026-12-01T00:00:00Z"), SnowcastLayout.POSITIVE, epoch);
        assertThat(run)
                .isEqualTo(new CommandRun(
                        ExitCode.DONE, "id BETWEEN " + first + " AND " + (end - 1) + System.lineSeparator(), ""));
    }

    /** In the default layout, bit 63 is set from 34.8 years after the epoch on. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2024-01-01 | 2025-01-01",
                "2058-11-05T19:53:47.775Z | 2058-11-05T19:53:47.776Z",
                "2058-11-05T19:53:47.776Z | 2058-11-05T19:53:47.777Z",
                "2058-11-05T19:53:47.775Z | 2058-11-05T19:53:47.777Z",
                "2060-01-01 | 2061-01-01",
                "2025-01-01 | 2061-01-01",
                "2025-01-01 | "
            })
    void conditionHoldsForExactlyTheIdsOfTheStretchInASignedColumn(String from, String to) {
        CommandRun run = CommandRun.line("range --epoch 2024-01-01 --from " + from + (to == null ? "" : " --to " + to));
        CommandRun unsigned = CommandRun.line(
                "range --unsigned --epoch 2024-01-01 --from " + from + (to == null ? "" : " --to " + to));
        long first = bound(unsigned.out(), "BETWEEN (\\d+)");
        long last = bound(unsigned.out(), "AND (\\d+)");
        assertThat(Form.read(Long.toString(first), known()).instant()).isEqualTo(Definition.time("", from));
        for (long id :
                new long[] {0, first - 1, first, first + 1, last - 1, last, last + 1, Long.MAX_VALUE, Long.MIN_VALUE, -1
                }) {
            boolean isInside = Long.compareUnsigned(first, id) <= 0 && Long.compareUnsigned(id, last) <= 0;
            assertThat(holds(run.out(), id)).as("%s for %s", run.out(), id).isEqualTo(isInside);
        }
        assertThat(run.err().contains("ORDER BY CASE WHEN id < 0"))
                .isEqualTo(run.out().contains("OR"));
    }

    private static Definition.Known known() {
        return new Definition.Known(
                SnowcastLayout.DEFAULT, SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")));
    }

    private static long bound(String condition, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(condition);
        assertThat(matcher.find()).as(condition).isTrue();
        return Long.parseUnsignedLong(matcher.group(1));
    }

    /** Evaluates a condition for a signed column, as a database would. */
    private static boolean holds(String condition, long id) {
        Matcher both = Pattern.compile("id BETWEEN (-?\\d+) AND (-?\\d+)\\s*").matcher(condition);
        if (both.matches()) {
            return id >= Long.parseLong(both.group(1)) && id <= Long.parseLong(both.group(2));
        }
        Matcher either =
                Pattern.compile("\\(id >= (-?\\d+) OR id <= (-?\\d+)\\)\\s*").matcher(condition);
        assertThat(either.matches()).as(condition).isTrue();
        return id >= Long.parseLong(either.group(1)) || id <= Long.parseLong(either.group(2));
    }

    @Test
    void conditionIsGivenAsJson() {
        assertThat(CommandRun.line("range --epoch 2024-01-01 --from 2025-01-01 --column o.id --output json")
                        .out())
                .isEqualTo("{\"first\": \"265267917619200000\", \"last\": \"-1\","
                        + " \"condition\": \"(o.id >= 265267917619200000 OR o.id <= -1)\"}" + System.lineSeparator());
    }
}
