// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import clojure.java.api.Clojure;
import clojure.lang.IFn;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is what Jepsen reads. */
class HistoryTest {
    private static final int NODE = 3;
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    /**
     * What {@code jepsen.history} demands, and what {@code jepsen.checker/unique-ids} then counts, in terms of Clojure
     * and by its own reader.
     */
    private static final String JEPSEN = """
            (fn [text]
              (let [ops  (mapv clojure.edn/read-string (clojure.string/split-lines text))
                    gens (filter (fn [op] (= :generate (:f op))) ops)
                    acks (map :value (filter (fn [op] (= :ok (:type op))) gens))
                    dups (filter (fn [[_ n]] (< 1 n)) (frequencies acks))]
                (assert (= (range (count ops)) (map :index ops)))
                (assert (apply <= (map :time ops)))
                (assert (every? #{:invoke :ok :fail :info} (map :type ops)))
                (reduce (fn [running {:keys [type process]}]
                          (if (= :invoke type)
                            (do (assert (not (running process))) (conj running process))
                            (do (assert (or (running process) (= :info type))) (disj running process))))
                        #{}
                        (filter (fn [op] (integer? (:process op))) ops))
                [(count (filter (fn [op] (= :invoke (:type op))) gens))
                 (count acks)
                 (count dups)
                 [(first (sort acks)) (last (sort acks))]]))
            """;

    private final SnowcastSequencer sequencer = SnowcastSystem.standaloneSequencer(
            SequencerConfig.builder("the \"orders\" \\ of all")
                    .epoch(EPOCH)
                    .layout(SnowcastLayout.DEFAULT)
                    .build(),
            NODE);

    @TempDir
    private Path directory;

    private void write(History history, long... planted) throws Exception {
        UUID holder = UUID.randomUUID();
        Definition definition = new Definition(EPOCH.getEpochOffset(), SnowcastLayout.DEFAULT, 1, null);
        history.begun("TEST", 7, false);
        history.created(sequencer, "this test");
        history.granted(
                new AttachRequest(sequencer.name(), definition, 1, holder, 1, 0, 0, -1),
                new Grant(1, NODE, new Token(1, 1, holder), 0, Long.MAX_VALUE >>> 1, 60));
        History.Caller caller = history.caller();
        history.fault("nemesis", "LOSE_TABLE", "member 1");
        caller.generate(sequencer, 3, () -> sequencer.next(3));
        caller.generate(sequencer, 2, () -> new long[0]);
        assertThatThrownBy(() -> history.caller().generate(sequencer, 1, () -> {
                    throw new SnowcastException("planted");
                }))
                .hasMessage("planted");
        history.fault("nemesis", "LOSE_TABLE", "member 1");
        for (long each : planted) {
            caller.generate(sequencer, 1, () -> new long[] {each});
        }
    }

    @Test
    void whatTheDocumentShowsIsAHistory() throws Exception {
        String page = Files.readString(Path.of("../../docs/dev/long-runs.md"));
        String block = page.substring(page.indexOf("```clojure\n") + 11);
        assertThat(jepsen(block.substring(0, block.indexOf("```"))).toString()).startsWith("[1 1 0 ");
    }

    private static Object jepsen(String history) {
        Clojure.var("clojure.core", "require").invoke(Clojure.read("clojure.edn"));
        Clojure.var("clojure.core", "require").invoke(Clojure.read("clojure.string"));
        IFn function = (IFn) Clojure.var("clojure.core", "eval").invoke(Clojure.read(JEPSEN));
        return function.invoke(history);
    }

    private static String read(Path file) throws Exception {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whatIsWrittenIsAHistoryOfJepsenAndValid() throws Exception {
        Path file = History.file(directory.resolve("new"), "RUN-7");
        try (History history = History.compressed(file)) {
            write(history);
        }
        assertThat(file).hasFileName("run-7.edn.gz");
        assertThat(HistoryChecker.requireValid(file))
                .contains(":attempted-count 6, :acknowledged-count 3, :duplicated-count 0")
                .contains(":faults {:lose-table 1}");
        assertThat(jepsen(read(file)).toString()).startsWith("[6 3 0 [[\"the \\\"orders\\\" \\\\ of all\"");
    }

    /** An unsigned number that EDN writes with an N, as the others: both find it twice. */
    @Test
    void aDuplicateIsFoundByBoth() throws Exception {
        Path file = directory.resolve("history.edn.gz");
        try (History history = History.compressed(file)) {
            write(history, -1, -1);
        }
        assertThatThrownBy(() -> HistoryChecker.requireValid(file))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(":duplicated-count 1")
                .hasMessageContaining("18446744073709551615] 2}");
        assertThat(jepsen(read(file)).toString()).startsWith("[8 5 1 ").contains("18446744073709551615N");
    }

    @Test
    void sharesOfProcessesMakeOneHistoryAndATornEndIsNone() throws Exception {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        try (History one = History.part(first, 1_000);
                History other = History.part(second, 2_000)) {
            write(one);
            write(other);
        }
        Files.writeString(second, "{:index 99, :time 7, :ty", StandardOpenOption.APPEND);
        Path file = directory.resolve("history.edn.gz");
        HistoryParts.join(List.of(first, second, directory.resolve("none")), file);

        assertThat(Files.readAllLines(first)).hasSize(17);
        Map<String, Object> results = HistoryChecker.check(file);
        // Both have the same grant, since the sequencer is the same.
        assertThat(HistoryChecker.toEdn(results))
                .contains(":attempted-count 12, :acknowledged-count 6, :duplicated-count 0", ":conflict-count 1");
    }
}
