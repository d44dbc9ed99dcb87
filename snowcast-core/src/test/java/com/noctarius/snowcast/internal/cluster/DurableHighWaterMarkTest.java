// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.HighWaterMark.State;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.owner.TableRules;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableHighWaterMarkTest {
    private static final long NOW = 1_000_000;
    private static final long AHEAD = 1_500;
    private static final long STEP = 400;
    private static final long MARGIN = STEP / 2;
    private static final long FULL = AHEAD + MARGIN + STEP;

    @TempDir
    private Path directory;

    private DurableHighWaterMark open(String name) throws IOException {
        return DurableHighWaterMark.open(directory, name, AHEAD, STEP);
    }

    private HighWaterMark onDisk(String name) throws IOException {
        return Objects.requireNonNull(new HighWaterMarkFile(directory.resolve(name + ".high-water-mark")).read());
    }

    private void note(String name, HighWaterMark mark) throws IOException {
        new HighWaterMarkFile(directory.resolve(name + ".high-water-mark")).write(mark);
    }

    @Test
    void aNewMemberKnowsNothing() throws IOException {
        DurableHighWaterMark mark = open("a");

        assertThat(mark.latest()).isEqualTo(HighWaterMark.NONE);
        assertThat(mark.untilMillis()).isZero();
        assertThat(onDisk("a")).isEqualTo(HighWaterMark.NONE);
    }

    @Test
    void aNameBecomesAFileName() throws IOException {
        open("fe80::1%eth0/5701");

        assertThat(directory.resolve("fe80__1_eth0_5701.high-water-mark")).exists();
    }

    @Test
    void openingChangesNoMark() throws IOException {
        HighWaterMark mark = new HighWaterMark(NOW + 7, NOW, State.CLOSED);
        note("a", mark);
        open("a");

        assertThat(onDisk("a")).isEqualTo(mark);
    }

    @Test
    void theMarksOfAllMembersInTheDirectoryCount() throws IOException {
        note("a", new HighWaterMark(NOW, NOW - 3, State.OPEN));
        note("b", new HighWaterMark(NOW + 900, NOW - 5, State.OPEN));

        assertThat(open("c").latest()).isEqualTo(new HighWaterMark(NOW + 900, NOW - 3, State.OPEN));
    }

    @Test
    void reservingWritesBeforeItCounts() throws IOException {
        DurableHighWaterMark mark = open("a");
        mark.reserve(HighWaterMark.NONE, NOW);

        assertThat(mark.untilMillis()).isEqualTo(NOW + FULL);
        assertThat(onDisk("a")).isEqualTo(new HighWaterMark(NOW + FULL, NOW, State.OPEN));
        assertThat(mark.latest())
                .as("what it begins a cluster with, after a merge")
                .isEqualTo(onDisk("a"));
    }

    @Test
    void oneWriteLastsForAStep() throws IOException {
        DurableHighWaterMark mark = open("a");
        long before = 0;
        int writes = 0;
        for (long now = NOW; now < NOW + 10 * STEP; now++) {
            mark.reserve(HighWaterMark.NONE, now);
            writes += mark.untilMillis() == before ? 0 : 1;
            before = mark.untilMillis();
            assertThat(mark.untilMillis()).isGreaterThanOrEqualTo(now + AHEAD + MARGIN);
        }

        assertThat(writes).isEqualTo(10);
    }

    /**
     * The mark must cover the grants of all members. Until this member next checks whether a write is due, other
     * members can make grants that end lease + skew after cluster time. When the mark becomes due, it must therefore be
     * further ahead than that.
     */
    @Test
    void itIsDueBeforeItIsUsedUp() throws IOException {
        DurableHighWaterMark mark = open("a");
        mark.reserve(HighWaterMark.NONE, NOW);

        assertThat(mark.isReserveDue(NOW + STEP)).isFalse();
        assertThat(mark.isReserveDue(NOW + STEP + 1)).isTrue();
        assertThat(mark.untilMillis() - (NOW + STEP + 1)).isGreaterThan(AHEAD);
    }

    @Test
    void clocksThatAreSetBackLowerNothing() throws IOException {
        DurableHighWaterMark mark = open("a");
        mark.reserve(HighWaterMark.NONE, NOW);
        mark.reserve(HighWaterMark.NONE, NOW / 2);

        assertThat(onDisk("a").untilMillis()).isEqualTo(NOW + FULL);
    }

    @Test
    void itIsNeverBelowTheFormerMarkOrTheBeginning() throws IOException {
        note("a", new HighWaterMark(NOW + 90_000, NOW, State.OPEN));
        DurableHighWaterMark mark = open("a");
        mark.reserve(HighWaterMark.NONE, NOW);
        assertThat(onDisk("a").untilMillis()).isEqualTo(NOW + 90_000);

        DurableHighWaterMark other = open("b");
        other.reserve(new HighWaterMark(NOW + 95_000, NOW, State.OPEN), NOW);
        assertThat(onDisk("b").untilMillis()).isEqualTo(NOW + 95_000);
    }

    @Test
    void closingLowersItToWhatWasUsed() throws IOException {
        DurableHighWaterMark mark = open("a");
        mark.reserve(HighWaterMark.NONE, NOW);
        mark.close(HighWaterMark.NONE, NOW + 3, NOW + 5);

        assertThat(onDisk("a")).isEqualTo(new HighWaterMark(NOW + 3, NOW + 5, State.CLOSED));
        assertThat(open("a").latest()).isEqualTo(new HighWaterMark(NOW + 3, NOW + 5, State.CLOSED));
    }

    /**
     * The marks of the members that stay may not cover the grants of the member that left, until the last one closes.
     */
    @Test
    void leavingKeepsTheMarkUntilTheLastMemberCloses() throws IOException {
        DurableHighWaterMark mark = open("a");
        mark.leave();
        assertThat(onDisk("a")).isEqualTo(HighWaterMark.NONE);
        mark = open("b");
        mark.reserve(HighWaterMark.NONE, NOW);
        mark.leave();
        mark.reserve(HighWaterMark.NONE, NOW + 10_000);
        assertThat(open("c").latest()).isEqualTo(new HighWaterMark(NOW + FULL, NOW, State.HANDED_OVER));

        open("a").close(HighWaterMark.NONE, NOW + 3, NOW + 5);
        assertThat(open("c").latest()).isEqualTo(new HighWaterMark(NOW + 3, NOW + 5, State.CLOSED));
    }

    /**
     * Two sides of a split used different layouts, and then merged. The winning side decodes the highest ID of the
     * losing side with the layout of the winning side, which yields a time that no grant can reach.
     */
    @Test
    void closingKeepsWhatWasReservedIfNothingCanHaveBeenGrantedThatFarAhead() throws IOException {
        DurableHighWaterMark mark = open("a");
        mark.reserve(HighWaterMark.NONE, NOW);
        assertThatThrownBy(() -> mark.close(HighWaterMark.NONE, usedUntilMillisOfTwoLayouts(), NOW + 5))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no grant can reach that far");

        assertThat(open("a").latest()).isEqualTo(new HighWaterMark(NOW + FULL, NOW, State.OPEN));
    }

    /**
     * Returns the time by which all grants of a name seem to end. The two sides of a split without protection had
     * created the name with different layouts. The name was destroyed after the merge of the sides.
     */
    private static long usedUntilMillisOfTwoLayouts() {
        ReplicatedTable winning = tableOf(SnowcastLayout.JAVASCRIPT);
        winning.merge(tableOf(SnowcastLayout.DEFAULT).snapshotFor(0), 0, NOW);
        winning.table().destroy(winning.snapshotFor(0).lifecycle().incarnation(), NOW);
        return winning.table().usedUntilMillis(0);
    }

    private static ReplicatedTable tableOf(SnowcastLayout layout) {
        Definition definition = new Definition(NOW - TimeUnit.DAYS.toMillis(365), layout, 1, null);
        ReplicatedTable table = new ReplicatedTable("name", layout.hashCode());
        table.table()
                .attach(
                        new AttachRequest("name", definition, 0, UUID.randomUUID(), 1, NOW, 0, -1),
                        NOW,
                        new TableRules(AHEAD, 0, AHEAD, 0, 63));
        return table;
    }

    @Test
    void nothingIsReservedAfterItWasClosed() throws IOException {
        DurableHighWaterMark mark = open("a");
        mark.close(HighWaterMark.NONE, NOW, NOW);
        mark.reserve(HighWaterMark.NONE, NOW + 10_000);

        assertThat(onDisk("a").state()).isEqualTo(State.CLOSED);
    }

    @Test
    void closingNeverGoesBelowTheBeginning() throws IOException {
        DurableHighWaterMark mark = open("a");
        mark.close(new HighWaterMark(NOW + 9_000, NOW - 1, State.OPEN), NOW, NOW);

        assertThat(onDisk("a")).isEqualTo(new HighWaterMark(NOW + 9_000, NOW, State.CLOSED));
    }

    /**
     * A cluster has shut down gracefully, and starts again with clocks that were set back. Its new marks must still
     * have a later {@code writtenMillis} than the marks from before the shutdown.
     */
    @Test
    void marksAreYoungerThanThoseOfBeforeThoughTheClockWasSetBack() throws IOException {
        note("a", new HighWaterMark(NOW - 100, NOW, State.CLOSED));
        DurableHighWaterMark second = open("b");
        second.reserve(HighWaterMark.NONE, NOW - 500);
        assertThat(open("c").latest()).isEqualTo(new HighWaterMark(NOW - 500 + FULL, NOW + 1, State.OPEN));

        second.close(HighWaterMark.NONE, NOW - 50, NOW - 400);
        assertThat(open("c").latest()).isEqualTo(new HighWaterMark(NOW - 50, NOW + 1, State.CLOSED));
    }

    @Test
    void marksAreYoungerThanThatOfTheBeginning() throws IOException {
        HighWaterMark startMark = new HighWaterMark(NOW - 100, NOW, State.CLOSED);
        DurableHighWaterMark mark = open("a");
        mark.reserve(startMark, NOW - 500);
        assertThat(onDisk("a").writtenMillis()).isEqualTo(NOW + 1);

        mark.close(startMark, NOW - 50, NOW - 400);
        assertThat(onDisk("a").writtenMillis()).isEqualTo(NOW + 1);
    }

    @Test
    void aDamagedFileOfAnyMemberIsRefused() throws IOException {
        Path damaged = Files.writeString(directory.resolve("other.high-water-mark"), "?");

        assertThatThrownBy(() -> open("a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(damaged + " is damaged");
    }

    @Test
    void filesOfOtherKindsAreNoObstacle() throws IOException {
        Files.writeString(directory.resolve("a.high-water-mark.next"), "?");
        Files.writeString(directory.resolve("notes.txt"), "?");

        assertThat(open("a").latest()).isEqualTo(HighWaterMark.NONE);
    }

    @Test
    void aDirectoryThatIsAFileIsRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThatThrownBy(() -> DurableHighWaterMark.open(file, "a", AHEAD, STEP))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
    }

    /**
     * A directory in place of the file makes each write fail. Missing permissions would not always make it fail,
     * because the tests may run as a user that can write everywhere.
     */
    @Test
    void whatCannotBeWrittenIsRefusedWhenItIsOpened() throws IOException {
        Path obstacle = Files.createDirectory(directory.resolve("a.high-water-mark.next"));

        assertThatThrownBy(() -> open("a"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(obstacle.toString());
    }

    @Test
    void whatCouldNotBeWrittenDoesNotCountAndIsTriedAgain() throws IOException {
        DurableHighWaterMark mark = open("a");
        mark.reserve(HighWaterMark.NONE, NOW);
        Path obstacle = Files.createDirectory(directory.resolve("a.high-water-mark.next"));
        assertThatThrownBy(() -> mark.reserve(HighWaterMark.NONE, NOW + 10 * STEP))
                .isInstanceOf(IOException.class);
        assertThat(mark.untilMillis()).isEqualTo(NOW + FULL);

        Files.delete(obstacle);
        mark.reserve(HighWaterMark.NONE, NOW + 10 * STEP);
        assertThat(mark.untilMillis()).isEqualTo(NOW + 10 * STEP + FULL);
    }

    @Test
    void itGoesOnWhenADirectoryThatWasRemovedIsBack() throws IOException {
        Path removed = directory.resolve("removed");
        DurableHighWaterMark mark = DurableHighWaterMark.open(removed, "a", AHEAD, STEP);
        Files.delete(removed.resolve("a.high-water-mark"));
        Files.delete(removed);
        assertThatThrownBy(() -> mark.reserve(HighWaterMark.NONE, NOW)).isInstanceOf(IOException.class);

        Files.createDirectory(removed);
        mark.reserve(HighWaterMark.NONE, NOW);
        assertThat(removed.resolve("a.high-water-mark")).exists();
    }
}
