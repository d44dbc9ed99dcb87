// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the checker of histories is to find, it finds when it is planted; nothing else does it find. */
class HistoryCheckerTest {
    private static final long NODE_BITS = 3;
    private static final long COUNTER_BITS = 6;

    private final StringBuilder history = new StringBuilder();
    private int lines;

    // --- histories

    private HistoryCheckerTest line(String type, String process, String f, String value) {
        history.append("{:index ")
                .append(lines)
                .append(", :time ")
                .append(10 * lines)
                .append(", :type :")
                .append(type)
                .append(", :process ")
                .append(process)
                .append(", :f :")
                .append(f)
                .append(", :value ")
                .append(value)
                .append("}\n");
        lines++;
        return this;
    }

    private HistoryCheckerTest info(String f, String value) {
        return line("info", ":holders", f, value);
    }

    private HistoryCheckerTest unprotected() {
        return info("run", "{:name \"MERGES\", :seed 1, :unprotected true}");
    }

    /** A sequencer "orders", epoch 1000; node 1 is granted for the time from 100 to 200. */
    private HistoryCheckerTest sequencer() {
        return instance(1).instance(2).grant("a", 1, 100, 200);
    }

    private HistoryCheckerTest instance(int number) {
        return info(
                "created",
                "{:name \"orders\", :instance " + number + ", :by \"member " + number + "\", :epoch 1000, :node-bits "
                        + NODE_BITS + ", :counter-bits " + COUNTER_BITS + '}');
    }

    private HistoryCheckerTest grant(String grant, int node, long from, long to) {
        return info(
                "granted",
                "{:name \"orders\", :incarnation 1, :node " + node + ", :grant \"" + grant + "\", :epoch 1000, :from "
                        + from + ", :clock 0, :to " + to + '}');
    }

    private HistoryCheckerTest invoke(int process, int instance) {
        return line("invoke", "" + process, "generate", "[\"orders\" nil], :instance " + instance);
    }

    private HistoryCheckerTest ok(int process, int instance, long value) {
        return line(
                "ok", "" + process, "generate", "[\"orders\" " + History.number(value) + "], :instance " + instance);
    }

    /** A call without others beside it. */
    private HistoryCheckerTest call(int process, int instance, long value) {
        return invoke(process, instance).ok(process, instance, value);
    }

    private static long id(long time, long node, long counter) {
        return time << (NODE_BITS + COUNTER_BITS) | node << COUNTER_BITS | counter;
    }

    private Map<String, Object> check() throws IOException {
        return HistoryChecker.check(new BufferedReader(new StringReader(history.toString())));
    }

    private String valid() throws IOException {
        Map<String, Object> results = check();
        assertThat(HistoryChecker.isValid(results)).as(results.toString()).isTrue();
        return HistoryChecker.toEdn(results);
    }

    private String invalid() throws IOException {
        Map<String, Object> results = check();
        assertThat(HistoryChecker.isValid(results)).as(results.toString()).isFalse();
        return HistoryChecker.toEdn(results);
    }

    // --- unique

    @Test
    void whatIsRightIsValidAndCountedAsJepsenDoes() throws IOException {
        sequencer().call(0, 1, id(100, 1, 0)).call(1, 1, id(100, 1, 1)).invoke(0, 1);
        line("fail", "0", "generate", "[\"orders\" nil], :instance 1, :error :SnowcastException");
        line("info", ":nemesis", "crash", "\"member 1\"").line("info", ":nemesis", "crash", "\"member 1\"");

        assertThat(valid())
                .startsWith(
                        "{:unique-ids {:valid? true, :attempted-count 3, :acknowledged-count 2, :duplicated-count 0, "
                                + ":reported-count 0, :duplicated {}, :range [[\"orders\" 51264] [\"orders\" 51265]]}, "
                                + ":order {:valid? true, :checked-count 2, ")
                .contains(":grants {:valid? true, :grant-count 1, ")
                .endsWith(":faults {:crash 1}, :valid? true}");
    }

    @Test
    void anIdThatTwoInstancesGotIsFound() throws IOException {
        long id = id(150, 1, 7);
        sequencer().call(0, 1, id).call(1, 2, id).call(2, 2, id(150, 1, 8));
        assertThat(invalid())
                .contains(":duplicated-count 1, :reported-count 0, :duplicated {[\"orders\" " + id + "] 2}");
    }

    @Test
    void idsAboveThePositiveNumbersAreCompared() throws IOException {
        instance(1).instance(2);
        call(0, 1, Long.MAX_VALUE).call(0, 1, -1).call(1, 2, -1);
        assertThat(invalid())
                .contains(
                        ":duplicated {[\"orders\" 18446744073709551615] 2}",
                        ":range [[\"orders\" 9223372036854775807] [\"orders\" 18446744073709551615]]",
                        ":order {:valid? true");
    }

    @Test
    void whatAMergeReportedIsCountedApart() throws IOException {
        long id = id(150, 1, 7);
        unprotected().sequencer().grant("b", 1, 100, 160).call(0, 1, id).call(1, 2, id);
        assertThat(invalid()).contains(":conflict-count 1");
        info("reported", "{:name \"orders\", :node 1, :from-millis 1100, :to-millis 1151}");
        assertThat(invalid()).contains(":duplicated-count 0, :reported-count 1", ":conflict-count 1");
        info("reported", "{:name \"orders\", :node 1, :from-millis 1151, :to-millis 1160}");
        assertThat(valid()).contains(":duplicated-count 0, :reported-count 1", ":conflict-count 0");
    }

    @Test
    void aReportOfAnotherNodeOrTimeOrNameCoversNothing() throws IOException {
        long id = id(150, 1, 7);
        unprotected().sequencer().call(0, 1, id).call(1, 2, id);
        info("reported", "{:name \"orders\", :node 2, :from-millis 1100, :to-millis 1160}");
        info("reported", "{:name \"orders\", :node 1, :from-millis 1100, :to-millis 1150}");
        info("reported", "{:name \"orders\", :node 1, :from-millis 1151, :to-millis 1160}");
        info("reported", "{:name \"deliveries\", :node 1, :from-millis 1100, :to-millis 1160}");
        assertThat(invalid()).contains(":duplicated-count 1, :reported-count 0");
        info("reported", "{:name \"orders\", :node -1, :from-millis 1150, :to-millis 1151}");
        assertThat(valid()).contains(":duplicated-count 0, :reported-count 1");
    }

    @Test
    void withProtectionAReportExcusesNothing() throws IOException {
        long id = id(150, 1, 7);
        sequencer().grant("b", 1, 100, 160).call(0, 1, id).call(1, 2, id);
        info("reported", "{:name \"orders\", :node -1, :from-millis 0, :to-millis 5000}");
        assertThat(invalid()).contains(":duplicated-count 1, :reported-count 0", ":conflict-count 1");
    }

    @Test
    void afterAllMergesNothingRepeatsThoughItWasReported() throws IOException {
        long id = id(150, 1, 7);
        unprotected().sequencer().call(0, 1, id).info("settled", "nil").call(1, 2, id);
        info("reported", "{:name \"orders\", :node 1, :from-millis 1100, :to-millis 1160}");
        assertThat(invalid()).contains(":duplicated-count 1, :reported-count 0");
    }

    // --- order

    @Test
    void aStepBackOfAnInstanceIsFound() throws IOException {
        sequencer().call(0, 1, id(150, 1, 7)).call(1, 1, id(150, 1, 6));
        assertThat(invalid()).contains(":order {:valid? false, :checked-count 2, :violation-count 1");
    }

    @Test
    void ofCallsAtTheSameTimeEitherMayGetTheGreaterId() throws IOException {
        sequencer().invoke(0, 1).invoke(1, 1).ok(0, 1, id(150, 1, 7)).ok(1, 1, id(150, 1, 6));
        valid();
    }

    @Test
    void instancesHaveNoOrderBetweenThem() throws IOException {
        sequencer().call(0, 1, id(150, 1, 7)).call(1, 2, id(150, 1, 6));
        valid();
    }

    // --- grants

    @Test
    void aFloorBelowTheCeilingOfAnotherHolderIsFound() throws IOException {
        sequencer().grant("b", 1, 199, 300);
        assertThat(invalid()).contains(":conflict-count 1");
    }

    @Test
    void aNodeThatIsFreeAgainMayBeGranted() throws IOException {
        sequencer().info("ended", "{:name \"orders\", :grant \"a\", :to 150}").grant("b", 1, 150, 300);
        valid();
    }

    @Test
    void aCeilingAboveTheFloorOfAnotherHolderIsFoundThoughItIsGivenBack() throws IOException {
        sequencer().grant("b", 1, 200, 300).info("extended", "{:name \"orders\", :grant \"a\", :to 201}");
        info("ended", "{:name \"orders\", :grant \"a\", :to 150}");
        assertThat(invalid()).contains(":conflict-count 1");
    }

    @Test
    void whatLiesInNoGrantIsFound() throws IOException {
        sequencer().call(0, 1, id(99, 1, 0)).call(0, 1, id(100, 1, 0)).call(0, 1, id(199, 1, 0));
        call(0, 1, id(199, 2, 0)).call(0, 1, id(200, 1, 0));
        assertThat(invalid()).contains(":ungranted-count 3", ":conflict-count 0", ":duplicated-count 0");
    }

    // --- form

    @Test
    void itSharesNoCodeWithWhatItChecks() {
        String checker = ".*\\.HistoryChecker(\\$.*)?";
        List<Class<?>> all = new ArrayList<>(List.of(HistoryChecker.class.getDeclaredClasses()));
        all.add(HistoryChecker.class);
        classes()
                .that()
                .haveNameMatching(checker)
                .should()
                .onlyDependOnClassesThat()
                .haveNameMatching("(\\[L)?java\\..*|\\[J|" + checker)
                .check(new ClassFileImporter().importClasses(all));
    }

    @Test
    void whatIsNoHistoryIsRefused() {
        sequencer().ok(0, 1, 7);
        assertThatThrownBy(this::check).hasMessageStartingWith("line 4: nothing was invoked");
    }

    @Test
    void aProcessHasOneCallAtATime() {
        sequencer().invoke(0, 1).invoke(0, 1);
        assertThatThrownBy(this::check).hasMessageStartingWith("line 5: the process has not yet returned");
    }

    @Test
    void aLineThatIsMissingOrTornIsFound() {
        sequencer();
        history.delete(0, history.indexOf("\n") + 1);
        assertThatThrownBy(this::check).hasMessageStartingWith("line 1: not densely indexed");
        history.setLength(0);
        history.append("{:index 0, :time 5, :type :info, :process :holders, :f :settled, :value");
        assertThatThrownBy(this::check).hasMessageStartingWith("line 1: nothing to read");
    }
}
