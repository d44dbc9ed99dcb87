// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.HighWaterMark;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A member's high-water mark: one mark ahead of all that the cluster grants, written ahead in large steps, so that it
 * costs a write to the disk per half lease.
 *
 * <p>Every member notes the same moment within a step, since it follows from cluster time alone, and well before it
 * must: each mark covers what the others granted, too.
 *
 * <p>Thread-safe. Methods that write block.
 */
final class DurableHighWaterMark {
    private final HighWaterMarkFile file;
    private final HighWaterMark former;
    /** How far grants may reach, and half a step: others may grant while this member has not looked yet. */
    private final long aheadMillis;

    private final long stepMillis;

    /** Written under the monitor after the disk has it. */
    private volatile long untilMillis;

    private boolean closed;

    private DurableHighWaterMark(HighWaterMarkFile file, HighWaterMark former, long aheadMillis, long stepMillis) {
        this.file = file;
        this.former = former;
        this.aheadMillis = aheadMillis + stepMillis / 2;
        this.stepMillis = stepMillis;
    }

    /**
     * Opens the mark of a member.
     *
     * @param directory made if it is not there; may be shared by the members of one cluster, but not with another one
     * @param name distinguishes this member from others that share the directory; the same after a restart
     * @param aheadMillis how far grants may reach ahead of cluster time
     * @param stepMillis how much more is reserved at once
     * @throws IOException if a file of the directory cannot be read or is damaged, or nothing can be written
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
        // What cannot be written is to be found out now, and not when grants depend on it.
        HighWaterMark present = own.read();
        own.write(present == null ? HighWaterMark.NONE : present);
        return new DurableHighWaterMark(own, HighWaterMark.of(marks), aheadMillis, stepMillis);
    }

    public HighWaterMark former() {
        return former;
    }

    /** Returns up to when grants may reach, in milliseconds since 1970; 0 before the first {@link #reserve}. */
    public long untilMillis() {
        return untilMillis;
    }

    public boolean isReserveDue(long nowMillis) {
        return untilMillis < nowMillis + aheadMillis;
    }

    /** Writes the mark ahead if it is due. While the member runs, no mark falls; after a failure the former counts. */
    public synchronized void reserve(HighWaterMark beginning, long nowMillis) throws IOException {
        if (!closed && isReserveDue(nowMillis)) {
            long until = Math.max(nowMillis + aheadMillis + stepMillis, former.untilMillis());
            HighWaterMark mark = mark(until, beginning, nowMillis, false);
            file.write(mark);
            untilMillis = mark.untilMillis();
        }
    }

    /**
     * Lowers the mark to what the cluster used, when the last member leaves in order; nothing is reserved afterwards.
     *
     * @throws IOException if the mark stays as it was reserved: it cannot be written, or nothing can have been granted
     *     that far ahead
     */
    public synchronized void close(HighWaterMark beginning, long usedUntilMillis, long nowMillis) throws IOException {
        closed = true;
        HighWaterMark mark = mark(usedUntilMillis, beginning, nowMillis, true);
        if (!HighWaterMarkFile.isPossible(mark)) {
            // A table that was merged with one of another layout reads the highest ID by the wrong one. So the end is
            // not known, as after a crash, and what was reserved stays.
            throw new IOException("no grant can reach that far: " + mark);
        }
        file.write(mark);
    }

    /** Returns the mark that is noted: not below the beginning. */
    private HighWaterMark mark(long atLeast, HighWaterMark beginning, long nowMillis, boolean isClosed) {
        long until = Math.max(atLeast, beginning.untilMillis());
        // Later than all that was there before, even if the clocks were set back: the youngest mark counts.
        long written = Math.max(nowMillis, Math.max(former.writtenMillis(), beginning.writtenMillis()) + 1);
        return new HighWaterMark(until, written, isClosed);
    }
}
