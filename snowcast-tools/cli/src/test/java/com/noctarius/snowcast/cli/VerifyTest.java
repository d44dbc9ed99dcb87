// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerifyTest {
    private static final int CAPACITY = 100;
    private static final int COUNT = 5_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    // --- sorting

    @ParameterizedTest
    @ValueSource(strings = {"sorted", "nearly sorted", "shuffled", "descending", "equal", "small"})
    void everythingIsGivenInItsOrder(String kind) throws IOException {
        long[] values = values(kind);
        LongStream.Builder sorted = LongStream.builder();
        try (LongSorter sorter = new LongSorter(CAPACITY, directory)) {
            for (long value : values) {
                sorter.add(value);
            }
            sorter.forEach(sorted::add);
            assertThat(sorter.runs() == 1).isEqualTo(kind.equals("sorted") || kind.equals("equal"));
        }
        long[] expected = Arrays.stream(values)
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(Long::longValue)
                .toArray();
        assertThat(sorted.build().toArray()).isEqualTo(expected);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    private static long[] values(String kind) {
        SplittableRandom random = new SplittableRandom(1);
        // The values lie around 2^63: half of them are negative as a long.
        long[] values = LongStream.range(0, COUNT)
                .map(i -> Long.MAX_VALUE - COUNT / 2 + i)
                .toArray();
        return switch (kind) {
            case "sorted" -> values;
            case "nearly sorted" -> {
                for (int i = 0; i < COUNT - 30; i += 30) {
                    swap(values, i, i + random.nextInt(30));
                }
                yield values;
            }
            case "shuffled" -> {
                for (int i = 0; i < COUNT; i++) {
                    swap(values, i, random.nextInt(COUNT));
                }
                yield values;
            }
            case "descending" -> LongStream.range(0, COUNT).map(i -> -i).toArray();
            case "equal" -> LongStream.range(0, COUNT).map(i -> 7).toArray();
            default -> LongStream.of(5, -1, 5, 0).toArray();
        };
    }

    private static void swap(long[] values, int one, int two) {
        long value = values[one];
        values[one] = values[two];
        values[two] = value;
    }

    // --- findings

    private static String lines(long... ids) {
        return Arrays.stream(ids).mapToObj(Long::toString).collect(Collectors.joining("\n"));
    }

    @Test
    void nothingIsWrong() {
        CommandRun run = CommandRun.withInput(lines(1, 2, 3), "verify", "--epoch", "2024-01-01", "--ordered");
        assertThat(run).isEqualTo(new CommandRun(ExitCode.DONE, """
                        ids                                 3
                        duplicates                          0
                        beyond the layout                   0
                        in the future                       0
                        node out of range                   0
                        below the one before                0
                        """, ""));
    }

    @Test
    void duplicatesAreFoundFarApartAndAtOnce() {
        CommandRun run = CommandRun.withInput(lines(5, 5, 9, 7, 5), "verify", "--output", "json");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND);
        assertThat(run.out())
                .contains("\"ids\": 5, \"duplicates\": {")
                .contains("\"count\": 2, \"examples\": [\"5\"], \"lines\": [[]]");
    }

    /** The file has more IDs than fit into the smallest memory, and its last row repeats the first one. */
    @Test
    void duplicatesAreFoundThatDoNotFitIntoMemory() throws IOException {
        Path file = directory.resolve("ids.txt");
        int count = 300_000;
        SplittableRandom random = new SplittableRandom(2);
        long[] ids = random.longs(count, 0, Long.MAX_VALUE).distinct().toArray();
        ids[ids.length - 1] = ids[0];
        Files.writeString(file, lines(ids));
        CommandRun run = CommandRun.of("verify", "--memory", "1", "--file", file.toString(), "--progress");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND);
        assertThat(run.out()).containsPattern("duplicates +1  such as " + ids[0]);
        assertThat(run.err()).contains("[##############################] 300,000 IDs, ");
    }

    @Test
    void orderIsUnsignedAndAMatterOfTheOption() {
        assertThat(CommandRun.withInput(lines(Long.MAX_VALUE, Long.MIN_VALUE), "verify", "--ordered")
                        .exitCode())
                .isEqualTo(ExitCode.DONE);
        CommandRun run = CommandRun.withInput(lines(8, 7, 9), "verify");
        assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(run.out()).containsPattern("below the one before +1  such as 7 \\(line 2\\)");
        assertThat(CommandRun.withInput(lines(8, 7, 9), "verify", "--ordered").exitCode())
                .isEqualTo(ExitCode.FOUND);
    }

    /** {@code ORDER BY id DESC} produces this order. */
    @Test
    void descendingIsAnOrderToo() {
        CommandRun run = CommandRun.withInput(lines(9, 8, 8, 7), "verify", "--ordered");
        assertThat(run.out())
                .containsPattern("duplicates +1")
                .containsPattern("below the one before +0  the highest came first");
        CommandRun distinct = CommandRun.withInput(lines(9, 8, 7), "verify", "--ordered", "--output", "json");
        assertThat(distinct.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(distinct.out()).contains("\"descending\": true");
    }

    @Test
    void duplicatesOfAFileAreNamedWithTheirLines() throws IOException {
        Path file = directory.resolve("ids.csv");
        Files.writeString(file, "id\n5\n\n9\n7\n5\n9\n5\n5\n");
        CommandRun run = CommandRun.of("verify", "--csv", "--column", "id", "--file", file.toString());
        assertThat(run.out()).containsPattern("duplicates +4  such as 5 \\(lines 2, 6, 8\\), 9 \\(lines 4, 7\\)\\R");
        assertThat(CommandRun.of("verify", "--header", "--file", file.toString(), "--output", "json")
                        .out())
                .contains("\"examples\": [\"5\", \"9\"], \"lines\": [[2, 6, 8], [4, 7]]");
    }

    @Test
    void aPrefixIsReadAndRequired() {
        assertThat(CommandRun.withInput("ord_5\nord_5\n", "verify", "--prefix", "ord_")
                        .out())
                .containsPattern("duplicates +1  such as 5");
        assertThat(CommandRun.withInput("ord_5\nusr_5\n", "verify", "--prefix", "ord_")
                        .err())
                .startsWith("line 2: ID must begin with --prefix ord_: usr_5");
    }

    /** Exit code 1 means that the check has found a problem, so a heap that is too small needs another exit code. */
    @Test
    void aHeapThatIsTooSmallHasACodeOfItsOwn() throws Exception {
        Shell.Result small =
                Shell.run(directory, Map.of("SNOWCAST_OPTS", "-Xmx24m"), "echo 5 | snowcast verify --memory 512");
        assertThat(small.output())
                .contains("MB is too small: raise it by SNOWCAST_OPTS=-Xmx")
                .doesNotContain("\tat ");
        assertThat(small.exitCode()).isEqualTo(ExitCode.BROKEN);
    }

    @Test
    void aFileOfOneLineIsRefusedBeforeItIsInMemory() {
        AtomicLong read = new AtomicLong();
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                read.incrementAndGet();
                return '1';
            }

            @Override
            public int read(byte[] into, int offset, int count) {
                Arrays.fill(into, offset, offset + count, (byte) '1');
                read.addAndGet(count);
                return count;
            }
        };
        CommandRun run = CommandRun.of(endless, Map.of(), null, List.of("verify"));
        assertThat(run.err()).startsWith("line 1: it has more than 1048576 bytes");
        assertThat(run.exitCode()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(read.get()).isLessThan(10_000_000);
    }

    @Test
    void idsOfTheFutureCannotHaveBeenIssued() {
        String soon = CommandRun.of("encode", "--epoch", "2024-01-01", "--time", inMinutes(5))
                .out();
        CommandRun run = CommandRun.withInput(soon, "verify", "--epoch", "2024-01-01");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND);
        assertThat(run.out()).containsPattern("in the future +1  such as " + soon.strip());
        assertThat(CommandRun.withInput(soon, "verify", "--epoch", "2024-01-01", "--skew", "PT10M")
                        .exitCode())
                .isEqualTo(ExitCode.DONE);
    }

    private static String inMinutes(int minutes) {
        return Instant.now().plus(minutes, ChronoUnit.MINUTES).toString();
    }

    @Test
    void nodesOutsideTheRangeAndBitsBeyondTheLayoutCannotBe() {
        String id = "2026-01-01T00:00:00.000Z-0042-0007";
        CommandRun run = CommandRun.withInput(id, "verify", "--epoch", "2024-01-01", "--node-range", "0-41");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND);
        assertThat(run.out()).containsPattern("node out of range +1  such as ");
        assertThat(CommandRun.withInput(id, "verify", "--epoch", "2024-01-01", "--node-range", "42-42")
                        .exitCode())
                .isEqualTo(ExitCode.DONE);
        assertThat(CommandRun.withInput("-1", "verify", "--epoch", "2024-01-01", "--layout", "positive")
                        .out())
                .containsPattern("beyond the layout +1  such as -1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--memory 0 | --memory must be 1 to 8192: 0",
                "--node-range 0-1 | --node-range needs --epoch or --profile",
                "--epoch 2024-01-01 --node-range 5-3 | --node-range must be like 0-8191, within it: 5-3",
                "--epoch 2024-01-01 --node-range 0-8192 | --node-range must be like 0-8191, within it: 0-8192",
                "--jdbc jdbc:h2:mem:a | --jdbc needs either --table or --query",
                "--jdbc jdbc:h2:mem:a --table t --password | there is no terminal to ask for the password",
                "--jdbc jdbc:nothing:a?password=secret --table t | no driver knows jdbc:nothing: put its jar into SNOWCAST_CLASSPATH",
                "--table orders | --table needs --jdbc",
                "--query SELECT | --query needs --jdbc",
                "--profiles /no/such/file | --profiles needs --profile",
                "--jdbc jdbc:h2:mem:a --table t --file f | --jdbc must not be given together with --file",
                "--jdbc jdbc:h2:mem:a --table t --csv | --jdbc must not be given together with --csv",
                "--jdbc jdbc:h2:mem:a --table t --header | --jdbc must not be given together with --header",
                "--jdbc jdbc:h2:mem:a --query q --column c | --query must not be given together with --column",
                "--skew -PT1M | --skew must not be negative",
                "--skew soon | must be like 500ms, 2s, 5m, 1h or PT2S: soon",
                "--jdbc jdbc:h2:mem:a --table t --password-env NONE | the environment has no variable NONE",
            })
    void wrongUseIsSaid(String options, String message) {
        CommandRun run = CommandRun.line("verify " + options);
        assertThat(run.err()).contains(message).doesNotContain("\tat ");
        assertThat(run.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    }

    // --- databases

    @Test
    void tableIsRead() throws SQLException {
        String url = "jdbc:h2:mem:verify;USER=ids;PASSWORD=secret";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders(id BIGINT, code VARCHAR(11))");
            statement.execute("INSERT INTO orders VALUES (7, '00000000007'), (8, '00000000008'), (7, '00000000009')");
            CommandRun numbers = inDatabase("--table", "orders", "--column", "id");
            assertThat(numbers.out()).containsPattern("ids +3").containsPattern("duplicates +1  such as 7");
            assertThat(numbers.exitCode()).isEqualTo(ExitCode.FOUND);
            CommandRun texts = inDatabase("--query", "SELECT code FROM orders");
            assertThat(texts.out()).containsPattern("duplicates +0");
            assertThat(texts.exitCode()).isEqualTo(ExitCode.DONE);
            assertThat(inDatabase("--table", "missing", "--column", "id").exitCode())
                    .isEqualTo(ExitCode.FAILED);
            statement.execute("INSERT INTO orders VALUES (NULL, NULL)");
            assertThat(inDatabase("--table", "orders", "--column", "id").err()).contains("must not be null");
        }
    }

    @Test
    void aDatabaseThatIsNotThereIsNotMade() throws IOException {
        CommandRun run =
                CommandRun.of("verify", "--jdbc", "jdbc:h2:" + directory.resolve("wrong"), "--table", "orders");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).contains("not found");
        try (Stream<Path> made = Files.list(directory)) {
            assertThat(made).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:x;INIT=CREATE USER HIDDEN PASSWORD 'HIDDEN' ADMIN WITH",
                "jdbc:h2:mem:x;PASSWORD=HIDDEN;TRACE_LEVEL_FILE=HIDDEN",
                "jdbc:h2:mem:x;NO_SETTING=HIDDEN",
                "jdbc:postgresql://127.0.0.1:1/HIDDEN?password=HIDDEN&user=me",
                "jdbc:nothing://me:HIDDEN@host/x"
            })
    void whatTheUrlHidesIsInNoMessage(String url) {
        CommandRun run = CommandRun.of("verify", "--verbose", "--jdbc", url, "--table", "orders");
        assertThat(run.exitCode()).isIn(ExitCode.FAILED, ExitCode.WRONG_USE);
        assertThat(run.err()).isNotEmpty().doesNotContain("HIDDEN");
    }

    private static CommandRun inDatabase(String... options) {
        return CommandRun.of(
                "",
                Map.of("PASSWORD", "secret"),
                null,
                Stream.concat(
                                Stream.of(
                                        "verify --epoch 2024-01-01 --jdbc jdbc:h2:mem:verify --user ids --password-env PASSWORD"
                                                .split(" ")),
                                Stream.of(options))
                        .toArray(String[]::new));
    }
}
