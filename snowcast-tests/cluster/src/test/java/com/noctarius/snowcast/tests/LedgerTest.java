// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.leases.Coordinator.GrantObserver;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the ledger finds planted errors. It finds nothing else, or other tests would fail. */
class LedgerTest {
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 3, 6);
    private static final long EPOCH = Ledger.EPOCH.getEpochOffset();
    private static final String ORDERS = "orders";
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);

    private final Ledger ledger = new Ledger();
    private final List<PossibleDuplicates> reports = new ArrayList<>();

    private IdLog log(String owner) {
        return ledger.open(ORDERS, owner, LAYOUT);
    }

    private static long id(long time, int node, int counter) {
        return LAYOUT.compose(time, node, counter);
    }

    private static Token token(UUID holder) {
        return new Token(7, 1, holder);
    }

    private static Definition definition() {
        return new Definition(EPOCH, LAYOUT, 1, null);
    }

    /** Grants node 1 to a holder whose clock shows {@code clock}, and whose former IDs reach up to {@code last}. */
    private static void grant(GrantObserver to, UUID holder, long last, long clock, long floor, long end) {
        to.granted(
                new AttachRequest(ORDERS, definition(), 1, holder, 1, EPOCH + clock, 0, last),
                new Grant(1, 1, token(holder), floor, end, 60));
    }

    private void grant(UUID holder, long floor, long end) {
        grant(ledger, holder, -1, 0, floor, end);
    }

    private static void renew(GrantObserver to, UUID holder, long end) {
        to.renewed(new RenewRequest(ORDERS, definition(), 1, 1, token(holder), 0, 0, 60), end);
    }

    private static void end(GrantObserver to, UUID holder, long lastIdTime) {
        to.ended(holder, new DetachRequest(ORDERS, 1, token(holder), lastIdTime));
    }

    private static PossibleDuplicates report(String name, int node, long from, long to) {
        return new PossibleDuplicates(name, node, Instant.ofEpochMilli(EPOCH + from), Instant.ofEpochMilli(EPOCH + to));
    }

    private void assertFound(String what) {
        assertThatThrownBy(ledger::check).isInstanceOf(AssertionError.class).hasMessageContaining(what);
    }

    // --- unique

    @Test
    void aDuplicateIsFoundWithBothOwners() {
        log("member 1").add(1, 2, 3);
        log("client 2").add(2, 9);
        assertThatThrownBy(ledger::checkIds)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("1 IDs twice: sequencer orders: ID 2 (")
                .hasMessageContaining(" of member 1 and ID 2 (")
                .hasMessageEndingWith(" of client 2");
    }

    // --- reports

    @Test
    void whatAMergeReportedMayBeThereTwice() {
        grant(A, 100, 200);
        grant(B, 100, 160);
        log("member 1").add(id(150, 1, 7));
        log("member 2").add(id(150, 1, 7));
        ledger.allow(reports);
        assertThat(ledger.duplicates()).hasSize(1);
        assertThat(ledger.unreported()).hasSize(1);
        reports.add(report(ORDERS, 1, 100, 151));
        assertThat(ledger.duplicates()).isEmpty();
        assertThat(ledger.unreported()).hasSize(1);
        reports.add(report(ORDERS, 1, 151, 160));
        ledger.check();
        assertThat(ledger).hasToString("2 IDs, 1 of them twice, 2 reports, 2 grants");
    }

    @Test
    void aReportOfAnotherNodeOrTimeOrNameCoversNothing() {
        grant(A, 100, 151);
        grant(B, 150, 160);
        log("member 1").add(id(150, 1, 7));
        log("member 2").add(id(150, 1, 7));
        ledger.allow(reports);
        reports.add(report(ORDERS, 2, 100, 160));
        reports.add(report(ORDERS, 1, 100, 150));
        reports.add(report(ORDERS, 1, 151, 160));
        reports.add(report("deliveries", 1, 100, 160));
        assertThat(ledger.duplicates()).hasSize(1);
        assertThat(ledger.unreported()).hasSize(1);
        reports.add(report(ORDERS, -1, 150, 151));
        assertThat(ledger.duplicates()).isEmpty();
        assertThat(ledger.unreported()).isEmpty();
    }

    /** An ID does not contain its layout, so the node ID in it is ambiguous. */
    @Test
    void aReportHasToCoverAnIdInEachLayoutOfItsName() {
        long id = id(150, 1, 40);
        SnowcastLayout other = new SnowcastLayout(41, 4, 5);
        log("member 1").add(id);
        ledger.open(ORDERS, "member 2", other).add(id);
        ledger.allow(reports);
        reports.add(report(ORDERS, 1, 150, 151));
        assertThat(ledger.duplicates()).hasSize(1);
        reports.add(report(ORDERS, other.logicalNodeId(id), 150, 151));
        assertThat(ledger.duplicates()).isEmpty();
    }

    @Test
    void afterAllMergesNothingRepeatsThoughItWasReported() {
        grant(A, 100, 200);
        IdLog one = log("member 1");
        IdLog other = log("member 2");
        one.add(id(150, 1, 7));
        other.add(id(150, 1, 7));
        ledger.allow(List.of(report(ORDERS, -1, 0, 5_000)));
        ledger.settle();
        ledger.check();
        one.add(id(151, 1, 7));
        other.add(id(152, 1, 7));
        ledger.check();
        one.add(id(152, 1, 7));
        assertFound("1 IDs twice after all had settled");
    }

    @Test
    void whoComesAfterAllMergesRepeatsNothing() {
        grant(A, 100, 200);
        ledger.allow(List.of(report(ORDERS, -1, 0, 5_000)));
        log("member 1").add(id(150, 1, 7));
        ledger.settle();
        ledger.check();
        log("member 2").add(id(150, 1, 7));
        assertFound("1 IDs twice after all had settled");
    }

    // --- order

    @Test
    void aStepBackIsFoundWithItsOwner() {
        log("member 7").add(3, 2);
        assertFound("member 7: ID 1 is not above its predecessor");
    }

    private static SnowcastSequencer sequencer(int node) {
        return SnowcastSystem.standaloneSequencer(
                SequencerConfig.builder(ORDERS)
                        .epoch(Ledger.EPOCH)
                        .layout(LAYOUT)
                        .build(),
                node);
    }

    @Test
    void aStepBackFromAnotherThreadsCallIsFound() {
        grant(A, 100, 200);
        SnowcastSequencer shared = sequencer(1);
        ledger.open(shared, "member 1").addCall(10, 20, id(150, 1, 6), id(150, 1, 7));
        ledger.open(shared, "member 1").addCall(21, 30, id(150, 1, 5), id(150, 1, 8));
        assertFound("member 1: " + id(150, 1, 5) + " was asked for when " + id(150, 1, 7) + " had come");
    }

    // --- grants

    @Test
    void aFloorBelowTheCeilingOfAnotherHolderIsFound() {
        grant(A, 100, 200);
        grant(B, 199, 300);
        assertFound("1 times two holders had the same: node ID 1 of sequencer orders, incarnation 1");
    }

    @Test
    void aCeilingAboveTheFloorOfAnotherHolderIsFoundThoughItIsGivenBack() {
        grant(A, 100, 200);
        grant(B, 200, 300);
        renew(ledger, A, 201);
        end(ledger, A, 149);
        assertFound("1 times two holders had the same");
    }

    /** The overlap begins at the clock of the later holder. A report need not cover the time before. */
    @Test
    void aHolderUsesNothingOfTheTimeBeforeItsClock() {
        grant(A, 100, 200);
        grant(ledger, B, -1, 180, 100, 300);
        ledger.allow(reports);
        reports.add(report(ORDERS, 1, 181, 200));
        assertThat(ledger.unreported()).hasSize(1);
        reports.add(report(ORDERS, 1, 180, 181));
        ledger.check();
    }

    @Test
    void whatLiesInNoGrantIsFound() {
        grant(A, 100, 200);
        grant(B, 300, 400);
        log("member 1").add(id(99, 1, 0), id(100, 1, 0), id(199, 1, 0), id(200, 1, 0));
        log("member 2").add(id(150, 2, 0), id(399, 1, 0));
        assertThat(ledger.ungranted())
                .hasSize(3)
                .anyMatch(each -> each.contains("(time 99, node 1,"))
                .anyMatch(each -> each.contains("(time 200, node 1,"))
                .anyMatch(each -> each.contains("(time 150, node 2,"));
        assertFound("3 IDs that lie in no grant");
    }

    @Test
    void whatWasGivenBackIsNoGrant() {
        grant(A, 100, 200);
        end(ledger, A, 149);
        log("member 1").add(id(149, 1, 0));
        ledger.check();
        log("member 2").add(id(150, 1, 0));
        assertFound("1 IDs that lie in no grant");
    }

    // --- files

    @Test
    void grantsOfProcessesAreComparedInTheirOrderAndATornEndIsNone(@TempDir Path directory) throws Exception {
        List<Path> paths = List.of(directory.resolve("a"), directory.resolve("b"), directory.resolve("none"));
        GrantFile a = new GrantFile(paths.get(0));
        GrantFile b = new GrantFile(paths.get(1));
        grant(a, A, -1, 100, 100, 160);
        grant(b, B, 179, 190, 120, 300);
        assertThat(GrantFile.read(paths).unreported()).isEmpty();
        renew(a, A, 201);
        end(a, A, 199);
        PossibleDuplicates merged = report(ORDERS, 1, 190, 200);
        a.reported(merged);
        b.reported(merged);
        for (Path torn : paths.subList(0, 2)) {
            Files.writeString(torn, System.nanoTime() + " ended orders", StandardOpenOption.APPEND);
        }

        ledger.addAll(GrantFile.read(paths));
        assertThat(ledger.unreported())
                .hasSize(1)
                .allMatch(each -> each.contains("has [100, 201)") && each.contains("has [180, 300)"));
        ledger.allow(GrantFile.reports(paths));
        assertThat(ledger.unreported()).isEmpty();
        assertThat(GrantFile.reports(paths)).containsExactly(merged);
        assertThat(GrantFile.count(paths.get(0))).isEqualTo(2);
    }
}
