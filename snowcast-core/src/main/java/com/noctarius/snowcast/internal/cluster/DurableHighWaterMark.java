// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.HighWaterMark.State;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member's high-water mark on the disk: a moment that no grant of this member as an owner exceeds. It is written in
 * advance, in steps of half a lease, so that it costs one write to the disk per half lease.
 *
 * <p>Each member computes its mark from cluster time, and writes it well before grants reach it. While all members can
 * write, their marks therefore differ by about one step at most, and each mark covers the grants of all members.
 *
 * <p>Thread-safe. Methods that write block.
 */
final class DurableHighWaterMark {
    private final HighWaterMarkFile file;
    private final HighWaterMark former;
    /**
     * How far grants may reach ahead of cluster time, plus half a step, because other members may grant before this
     * member checks its mark again. In milliseconds.
     */
    private final long aheadMillis;

    private final long stepMillis;

    /** The mark that this member has reserved last. Set under the monitor, after the write to the disk. */
    private volatile HighWaterMark reserved = HighWaterMark.NONE;

    private boolean hasLeft;

    /** Why {@link #reserve} cannot write the mark. Set under the monitor. */
    private volatile @Nullable Unwritable unwritable;

    /** Since when, in cluster time, and why the mark cannot be written. */
    record Unwritable(Instant since, String problem) {}

    private DurableHighWaterMark(HighWaterMarkFile file, HighWaterMark former, long aheadMillis, long stepMillis) {
        this.file = file;
        this.former = former;
        this.aheadMillis = aheadMillis + stepMillis / 2;
        this.stepMillis = stepMillis;
    }

    /**
     * Opens the mark of a member.
     *
     * @param directory created if it does not exist; the members of one cluster may share it, but not several clusters
     * @param name the name of this member among the members that share the directory; it must be the same after a
     *     restart
     * @param aheadMillis how far grants may reach ahead of cluster time
     * @param stepMillis how far each write raises the mark
     * @throws IOException if a file of the directory cannot be read or is damaged, or if the mark cannot be written
     */
    public static DurableHighWaterMark open(Path directory, String name, long aheadMillis, long stepMillis)
            throws IOException {
        Files.createDirectories(directory);
        List<HighWaterMark> marks = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory, "*" + HighWaterMarkFile.SUFFIX)) {
            for (Path path : paths) {
                HighWaterMark mark = new HighWaterMarkFile(path).read();
                if (mark != null) {
                    marks.add(mark);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        HighWaterMarkFile own = new HighWaterMarkFile(
                directory.resolve(name.replaceAll("[^A-Za-z0-9.-]", "_") + HighWaterMarkFile.SUFFIX));
        // Write the file at the start of the member, so that a failure shows before grants depend on it.
        HighWaterMark present = own.read();
        own.write(present == null ? HighWaterMark.NONE : present);
        return new DurableHighWaterMark(own, HighWaterMark.of(marks), aheadMillis, stepMillis);
    }

    /**
     * Returns the mark that this member has reserved last; before its first, the mark that it found when it started.
     * After a merge of a split, a member may begin a cluster again, and the mark that it found is too low by then.
     */
    public HighWaterMark latest() {
        HighWaterMark last = reserved;
        return last.untilMillis() > 0 ? last : former;
    }

    /**
     * Returns the latest moment at which new grants may end, in milliseconds since 1970; 0 before the first
     * {@link #reserve}.
     */
    public long untilMillis() {
        return reserved.untilMillis();
    }

    /** Returns why {@link #reserve} cannot write the mark; null while it can. */
    @Nullable
    Unwritable unwritable() {
        return unwritable;
    }

    public boolean isReserveDue(long nowMillis) {
        return untilMillis() < nowMillis + aheadMillis;
    }

    /**
     * Writes the next mark if it is due. If a write fails, the last written mark still limits the grants. While a
     * member runs, its mark never falls.
     */
    public synchronized void reserve(HighWaterMark startMark, long nowMillis) throws IOException {
        if (!hasLeft && isReserveDue(nowMillis)) {
            long until = Math.max(nowMillis + aheadMillis + stepMillis, former.untilMillis());
            HighWaterMark mark = mark(until, startMark, nowMillis, State.OPEN);
            try {
                file.write(mark);
            } catch (IOException e) {
                Unwritable before = unwritable;
                unwritable =
                        new Unwritable(before == null ? Instant.ofEpochMilli(nowMillis) : before.since, e.toString());
                throw e;
            }
            reserved = mark;
            unwritable = null;
        }
    }

    /**
     * Marks that this member has handed all its partitions over to members that stay. The bound stays, and counts
     * unless the last member closes its own mark later. Later calls of {@link #reserve} have no effect.
     */
    public synchronized void leave() throws IOException {
        HighWaterMark last = reserved;
        if (!hasLeft && last.untilMillis() > 0) {
            hasLeft = true;
            file.write(new HighWaterMark(last.untilMillis(), last.writtenMillis(), State.HANDED_OVER));
        }
    }

    /**
     * Lowers the mark to the end of all grants when the last member shuts down gracefully. Later calls of
     * {@link #reserve} have no effect.
     *
     * @throws IOException if the mark cannot be written, or {@code usedUntilMillis} is later than any grant can end; in
     *     the second case the mark stays unchanged
     */
    public synchronized void close(HighWaterMark startMark, long usedUntilMillis, long nowMillis) throws IOException {
        hasLeft = true;
        HighWaterMark mark = mark(usedUntilMillis, startMark, nowMillis, State.CLOSED);
        if (!HighWaterMarkFile.isPossible(mark)) {
            // usedUntilMillis of a destroyed sequencer is decoded from its highest ID. After a merge of tables with two
            // layouts, that ID may be of the other layout, and the decoded time far too late. In that case the end of
            // the grants is unknown, as after a crash, and the reserved mark stays.
            throw new IOException("no grant can reach that far: " + mark);
        }
        file.write(mark);
    }

    /** Returns the mark to write, which is at least the mark with which the cluster began. */
    private HighWaterMark mark(long atLeast, HighWaterMark startMark, long nowMillis, State state) {
        long until = Math.max(atLeast, startMark.untilMillis());
        // A closed mark outweighs those that were handed over before. The time of writing is therefore later than that
        // of all former marks, even if the clocks were set back.
        long written = Math.max(nowMillis, Math.max(former.writtenMillis(), startMark.writtenMillis()) + 1);
        return new HighWaterMark(until, written, state);
    }
}
