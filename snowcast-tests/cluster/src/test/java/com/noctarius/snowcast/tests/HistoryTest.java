// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import clojure.java.api.Clojure;
import clojure.lang.IFn;
import com.noctarius.snowcast.SnowcastLayout;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the written histories have Jepsen's format. */
class HistoryTest {
    /**
     * A Clojure function that reads a history, asserts the requirements of {@code jepsen.history}, and returns the
     * counts and the range of {@code jepsen.checker/unique-ids}.
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

    private final Ledger ledger = new Ledger();

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

    @Test
    void whatIsWrittenIsAHistoryOfJepsen(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("new").resolve("history.edn.gz");
        History history = new History();
        history.fault("nemesis", "LOSE_TABLE", "member 1");
        IdLog one = ledger.open("the \"orders\" \\ of all", "member 1", SnowcastLayout.DEFAULT);
        IdLog other = ledger.open("the \"orders\" \\ of all", "member 2", SnowcastLayout.DEFAULT);
        one.take(() -> new long[] {7, 8, 9});
        one.take(() -> new long[0]);
        long now = System.nanoTime();
        one.addCall(now, now, -1);
        one.addCall(now, now + 10, 10);
        other.addCall(now + 5, now + 20, -1);
        history.fault("nemesis", "LOSE_TABLE", "member 1");
        history.write(file, ledger);

        String written;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            written = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(written)
                .startsWith(
                        "{:index 0, :time 0, :type :info, :process :nemesis, :f :lose-table, :value \"member 1\"}\n")
                .contains("18446744073709551615N");
        // Six requests returned an ID each. Two of them returned the same ID.
        assertThat(jepsen(written).toString()).startsWith("[6 6 1 [[\"the \\\"orders\\\" \\\\ of all\" 7]");
    }
}
