// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the vectors of {@code docs/vectors.json}, and with these vectors the programs {@code docs/decode.js} and
 * {@code docs/decode.py}. A program's test is skipped if its interpreter cannot be started.
 */
class IdVectorsTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path VECTORS = DOCS.resolve("vectors.json");
    private static final Pattern VECTOR = Pattern.compile(
            "\"unsigned\": \"(\\d+)\".*\"layout\": \\[(\\d+), (\\d+), (\\d+)], \"epochMillis\": (-?\\d+)");

    private static final String NODE_CHECK = """

            const vectors = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
            const assert = require("assert");
            for (const v of vectors) {
              const parts = { instant: v.instant, logicalNode: v.logicalNode, counter: v.counter };
              const [, nodeBits, counterBits] = v.layout;
              const id = BigInt(v.unsigned);
              for (const text of [v.unsigned, v.signed]) {
                assert.deepStrictEqual(decode(text, nodeBits, counterBits, v.epochMillis), parts);
              }
              assert.strictEqual(parse(v.base62, BASE62), id);
              assert.strictEqual(parse(v.base32, BASE32), id);
              if (v.uuid !== null) {
                assert.deepStrictEqual(decodeUuid(v.uuid), parts);
              }
              assert.strictEqual(BigInt(Number(id)) === id, v.exactInJavaScript);
            }
            assert.strictEqual(String(JSON.parse("764750276312737799")), "764750276312737800");
            console.log(vectors.length);
            """;

    private static final String PYTHON_CHECK = """

            import json, sys
            vectors = json.load(open(sys.argv[1], encoding="utf-8"))
            for v in vectors:
                parts = (v["instant"], v["logicalNode"], v["counter"])
                _, node_bits, counter_bits = v["layout"]
                for number in (int(v["unsigned"]), int(v["signed"])):
                    assert decode(number, node_bits, counter_bits, v["epochMillis"]) == parts, v
                assert parse(v["base62"], BASE62) == int(v["unsigned"]), v
                assert parse(v["base32"], BASE32) == int(v["unsigned"]), v
                if v["uuid"] is not None:
                    assert decode_uuid(v["uuid"]) == parts, v
            print(len(vectors))
            """;

    /** Each vector is on its own line, so the test needs no JSON parser. */
    private static List<String> vectors() throws IOException {
        return Files.readAllLines(VECTORS).stream()
                .map(String::strip)
                .filter(line -> line.length() > 1)
                .toList();
    }

    private static SnowflakeId read(String vector) {
        Matcher parts = VECTOR.matcher(vector);
        assertThat(parts.find()).as(vector).isTrue();
        SnowcastLayout layout = new SnowcastLayout(
                Integer.parseInt(parts.group(2)), Integer.parseInt(parts.group(3)), Integer.parseInt(parts.group(4)));
        SnowcastEpoch epoch = SnowcastEpoch.byTimestamp(Long.parseLong(parts.group(5)));
        return SnowflakeId.of(Long.parseUnsignedLong(parts.group(1)), layout, epoch);
    }

    /** Returns the line of the file for an ID. The UUID in the line is null if the ID is from before 1970. */
    private static String written(SnowflakeId id) {
        long value = id.value();
        BigInteger unsigned = new BigInteger(Long.toUnsignedString(value));
        String readable = id.toString();
        return String.format(
                "{ \"unsigned\": \"%d\", \"signed\": \"%d\", \"layout\": [%d, %d, %d], \"epochMillis\": %d, \"instant\": \"%s\","
                        + " \"logicalNode\": %d, \"counter\": %d, \"base62\": \"%s\", \"base32\": \"%s\","
                        + " \"readable\": \"%s\", \"uuid\": %s, \"exactInJavaScript\": %s }",
                unsigned,
                value,
                id.layout().timestampBits(),
                id.layout().logicalNodeBits(),
                id.layout().counterBits(),
                id.epoch().getEpochOffset(),
                readable.substring(0, readable.indexOf('Z') + 1),
                id.logicalNodeId(),
                id.counter(),
                SnowflakeId.toBase62(value),
                SnowflakeId.toBase32(value),
                readable,
                id.instant().toEpochMilli() < 0 ? "null" : '"' + id.toUuid().toString() + '"',
                new BigDecimal(unsigned.doubleValue()).toBigInteger().equals(unsigned));
    }

    @Test
    void vectorsAreWhatTheLibraryWrites() throws IOException {
        for (String vector : vectors()) {
            assertThat(vector.replaceAll(",$", "")).isEqualTo(written(read(vector)));
        }
    }

    @Test
    @Tag("integration")
    void javaScriptReadsTheVectors(@TempDir Path directory) throws Exception {
        runs("node", Files.readString(DOCS.resolve("decode.js")) + NODE_CHECK, directory.resolve("vectors.js"));
    }

    @Test
    @Tag("integration")
    void pythonReadsTheVectors(@TempDir Path directory) throws Exception {
        runs("python3", Files.readString(DOCS.resolve("decode.py")) + PYTHON_CHECK, directory.resolve("vectors.py"));
    }

    /**
     * Runs a program, which must print the number of vectors that it has checked: a program that ends early might exit
     * successfully without checking them all.
     */
    private static void runs(String interpreter, String program, Path file) throws Exception {
        Files.writeString(file, program);
        Process process = start(interpreter, file.toString(), VECTORS.toString());
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.strip()).isEqualTo(String.valueOf(vectors().size()));
    }

    private static Process start(String... command) {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            String reason = "skipped: " + command[0] + " cannot be started: " + e.getMessage();
            System.out.println(reason);
            return Assumptions.abort(reason);
        }
    }
}
