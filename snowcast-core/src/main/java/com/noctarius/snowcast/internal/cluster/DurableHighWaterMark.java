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
 * A member's durable high-water mark: a moment ahead of all grants of the cluster. It is written in advance in large
 * steps, so that it costs one write to the disk per half lease.
 *
 * <p>All members write the same moment, within one step, because it depends on cluster time alone, and well before it
 * is needed: so each mark covers the grants of the other members, too.
 *
 * <p>Thread-safe. Methods that write block.
 */
final class DurableHighWaterMark {
    private final HighWaterMarkFile file;
    private final HighWaterMark former;
    /** How far grants may reach, plus half a step: others may grant before this member checks again. */
    private final long aheadMillis;

    private final long stepMillis;

    /** Written under the monitor, after the mark is on the disk. */
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
     * @param directory created if it does not exist; the members of one cluster may share it, but not several clusters
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
        // Find out now whether it can be written, and not when grants depend on it.
        HighWaterMark present = own.read();
        own.write(present == null ? HighWaterMark.NONE : present);
        return new DurableHighWaterMark(own, HighWaterMark.of(marks), aheadMillis, stepMillis);
    }

    public HighWaterMark former() {
        return former;
    }

    /** Returns the latest end of grants, in milliseconds since 1970; 0 before the first {@link #reserve}. */
    public long untilMillis() {
        return untilMillis;
    }

    public boolean isReserveDue(long nowMillis) {
        return untilMillis < nowMillis + aheadMillis;
    }

    /**
     * Writes the next mark if it is due. While the member runs, the mark never falls; after a failure the former
     * counts.
     */
    public synchronized void reserve(HighWaterMark beginning, long nowMillis) throws IOException {
        if (!closed && isReserveDue(nowMillis)) {
            long until = Math.max(nowMillis + aheadMillis + stepMillis, former.untilMillis());
            HighWaterMark mark = mark(until, beginning, nowMillis, false);
            file.write(mark);
            untilMillis = mark.untilMillis();
        }
    }

    /**
     * Lowers the mark to the used time when the last member shuts down gracefully; reserves nothing afterwards.
     *
     * @throws IOException if the mark stays at the reserved time, because it cannot be written, or because no grant can
     *     reach that far
     */
    public synchronized void close(HighWaterMark beginning, long usedUntilMillis, long nowMillis) throws IOException {
        closed = true;
        HighWaterMark mark = mark(usedUntilMillis, beginning, nowMillis, true);
        if (!HighWaterMarkFile.isPossible(mark)) {
            // A table that was merged with one of another layout decodes the highest ID with the wrong layout. So the
            // end is unknown, as after a crash, and the reserved mark stays.
            throw new IOException("no grant can reach that far: " + mark);
        }
        file.write(mark);
    }

    /** Returns the mark to write, which is not below the beginning. */
    private HighWaterMark mark(long atLeast, HighWaterMark beginning, long nowMillis, boolean isClosed) {
        long until = Math.max(atLeast, beginning.untilMillis());
        // Later than all marks before, even if the clocks were set back: the youngest mark counts.
        long written = Math.max(nowMillis, Math.max(former.writtenMillis(), beginning.writtenMillis()) + 1);
        return new HighWaterMark(until, written, isClosed);
    }
}
