// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.store.Block;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowAgentMainTest {
    private final MemoryShards memory = MemoryShards.of(3);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    private int run(String properties, String... arguments) throws IOException {
        Path file = Files.writeString(directory.resolve("shards.properties"), properties);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add(1, file.toString());
        out.reset();
        err.reset();
        return WindowAgentMain.run(
                all,
                Map.of("IDS_PASSWORD", "secret"),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String error() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private String file(int shards) {
        return "window.size=100\nmin.open.windows=1\ncall.timeout=PT30S\n" + memory.properties(shards);
    }

    @Test
    void eachKeyIsInTheReference() throws Exception {
        String page = Files.readString(Path.of("../../docs/reference/configuration.md"));
        int start = page.indexOf("## shards.properties");
        List<String> described = Pattern.compile("(?m)^\\| `([\\w.]+)` \\|")
                .matcher(page.substring(start, page.indexOf("\n## ", start)))
                .results()
                .map(row -> row.group(1))
                .toList();
        List<String> read = Pattern.compile("(?m)^ \\* ([a-z0-9.]+)=")
                .matcher(Files.readString(
                        Path.of("../jdbc/src/main/java/com/noctarius/snowcast/jdbc/WindowAgentMain.java")))
                .results()
                .map(key -> key.group(1).replaceAll("\\d", "N"))
                .toList();
        assertThat(described).containsAll(read).hasSizeGreaterThan(10);
        // The program rejects unknown keys.
        StringBuilder all = new StringBuilder("shard.0.url=" + memory.url(0) + "\n");
        described.stream()
                .filter(key -> !key.contains("password.") && !key.equals("shard.N.url"))
                .forEach(key -> all.append(key.replace("N", "0")).append("=\n"));
        run(all.toString(), "status");
        assertThat(error()).doesNotContain("unknown key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:x;NO_SETTING=HIDDEN",
                "jdbc:h2:mem:x;INIT=CREATE USER HIDDEN PASSWORD 'HIDDEN' ADMIN WITH"
            })
    void whatTheUrlHidesIsInNoMessage(String url) throws IOException {
        assertThat(run("window.size=100\nshard.0.url=" + url + "\n", "create")).isEqualTo(1);
        assertThat(error()).contains("jdbc:h2").doesNotContain("HIDDEN");
    }

    @Test
    void itCreatesDefinesLaysOutAndGrows() throws Exception {
        assertThat(run(file(2), "create")).isZero();
        assertThat(run(file(2), "define", "orders", "5001", "2147483647")).isZero();
        assertThat(run(file(2), "top-up")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("1 sequences, 2 new windows");
        assertThat(new JdbcBlockStore(memory.list(0, 1).plain(), 0).reserve("orders", 10))
                .isEqualTo(Block.of(5_001, 5_010));
        assertThat(run(file(3), "top-up")).isEqualTo(1);
        assertThat(error()).contains("the database of shard 0 of 3 is shard 0 of 2");
        assertThat(run(file(3), "change-shards")).isZero();
        assertThat(run(file(3), "top-up")).isZero();
        assertThat(memory.windows(2, "orders")).hasSize(1);
    }

    @Test
    void itRaisesTheLastValueAndRecovers() throws Exception {
        run(file(2), "create");
        run(file(2), "define", "orders", "1", "5000");
        run(file(2), "top-up");
        assertThat(run(file(2), "raise", "orders", "9000")).isZero();
        assertThat(memory.number(1, "SELECT highest_value FROM id_sequences_names"))
                .isEqualTo(9_000);
        memory.execute(1, "UPDATE id_sequences_database SET server_id = 'another'");
        assertThat(run(file(2), "recover", "1")).isZero();
        assertThat(memory.windows(1, "orders")).noneMatch(MemoryShards.Window::isOpen);
        for (int i = 0; i < 2; i++) {
            memory.execute(i, "UPDATE id_sequences_database SET server_id = 'another'");
        }
        assertThat(run(file(2), "top-up")).isEqualTo(1);
        assertThat(error()).contains("ran on server another and now runs on H2").contains("JdbcSchema.recover");
        assertThat(run(file(2), "recover", "0")).isEqualTo(1);
        assertThat(error()).contains("recover with the highest integer in use of every sequence");
        assertThat(run(file(2), "recover", "0", "orders")).isEqualTo(2);
        assertThat(run(file(2), "recover", "0", "bills=7")).isEqualTo(2);
        assertThat(error()).contains("for each of [orders]");
        assertThat(run(file(2), "recover", "0", "orders=901", "orders=90")).isEqualTo(2);
        assertThat(error()).contains("each sequence must have one argument: orders");
        assertThat(run(file(2), "recover", "0", "orders=901")).isZero();
        assertThat(run(file(2), "recover", "1", "nothing-lost")).isZero();
        assertThat(run(file(2), "recover", "2")).isEqualTo(2);
        assertThat(run(file(2), "recover")).isEqualTo(2);
        assertThat(run(file(2), "top-up")).isZero();
        assertThat(memory.windows(0, "orders").stream().filter(MemoryShards.Window::isOpen))
                .hasSize(1)
                .allMatch(window -> window.start() >= 901);
    }

    @Test
    void passwordsComeFromTheEnvironmentOrAFile() throws Exception {
        String url = "jdbc:h2:mem:withpassword;DB_CLOSE_DELAY=-1";
        UrlDataSource.of(url, "sa", "secret").getConnection().close();
        String shard = "window.size=100\nuser=sa\nshard.0.url=" + url + "\n";
        assertThat(run(shard, "create")).isEqualTo(1);
        assertThat(error()).contains("shard 0 of 1").doesNotContain("secret");
        assertThat(run(shard + "password.env=IDS_PASSWORD", "create")).isZero();
        Path file = Files.writeString(directory.resolve("password"), "secret\n");
        assertThat(run(shard + "password.env=MISSING\nshard.0.password.file=" + file, "create"))
                .isZero();
        assertThat(run(shard + "password.env=MISSING", "create")).isEqualTo(2);
        assertThat(error()).contains("MISSING");
        assertThat(run(shard + "password.env=IDS_PASSWORD\npassword.file=" + file, "create"))
                .isEqualTo(2);
        assertThat(run(shard + "password.file=" + directory.resolve("none"), "create"))
                .isEqualTo(2);
        assertThat(error()).contains("none");
    }

    @Test
    void wrongUseIsSaid() throws Exception {
        assertThat(WindowAgentMain.run(
                        List.of(), Map.of(), System.out, new PrintStream(err, true, StandardCharsets.UTF_8)))
                .isEqualTo(2);
        assertThat(error()).contains("usage:");
        assertThat(run(file(1), "nothing")).isEqualTo(2);
        assertThat(error()).contains("usage:");
        assertThat(run(file(1), "define", "orders")).isEqualTo(2);
        assertThat(run(file(1), "define", "orders", "one", "2")).isEqualTo(2);
        assertThat(error()).contains("FIRST must be a number: one");
        assertThat(run(file(1) + "min.open.window=3", "top-up")).isEqualTo(2);
        assertThat(error()).contains("min.open.window");
        assertThat(run(file(1) + "min.open.windows=99999999999\n", "top-up")).isEqualTo(2);
        assertThat(error()).contains("minOpenWindows must be 1 to 1000");
        assertThat(run(file(1) + "statement.timeout=2", "top-up")).isEqualTo(2);
        assertThat(error()).contains("PT2S");
        assertThat(run("", "top-up")).isEqualTo(2);
        assertThat(error()).contains("at least one shard");
    }
}
