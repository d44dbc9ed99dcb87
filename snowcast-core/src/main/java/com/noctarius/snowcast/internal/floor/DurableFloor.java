// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.floor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A member's durable floor: one mark ahead of all that the cluster grants, written ahead in large steps, so that it costs
 * a write to the disk per half lease.
 *
 * <p>Every member notes the same moment within a step, since it follows from cluster time alone: each mark covers what
 * the others granted, too.
 *
 * <p>Thread-safe. Methods that write block.
 */
public final class DurableFloor {
    private final FloorFile file;
    private final FloorMark former;
    private final long aheadMillis;
    private final long stepMillis;

    /** Written under the monitor after the disk has it. */
    private volatile long untilMillis;

    private boolean closed;

    private DurableFloor(FloorFile file, FloorMark former, long aheadMillis, long stepMillis) {
        this.file = file;
        this.former = former;
        this.aheadMillis = aheadMillis;
        this.stepMillis = stepMillis;
    }

    /**
     * Opens the floor of a member; makes the directory if it is not there.
     *
     * @param directory may be shared by members
     * @param name tells this member from others that share the directory; the same after a restart
     * @param aheadMillis how far grants may reach ahead of cluster time
     * @param stepMillis how much more is reserved at once
     * @throws IOException if a file of the directory cannot be read or is damaged, or nothing can be written
     */
    public static DurableFloor open(Path directory, String name, long aheadMillis, long stepMillis) throws IOException {
        Files.createDirectories(directory);
        if (!Files.isWritable(directory)) {
            throw new IOException("the directory of the durable floor cannot be written: " + directory);
        }
        List<FloorMark> marks = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory, "*" + FloorFile.SUFFIX)) {
            for (Path path : paths) {
                FloorMark mark = new FloorFile(path).read();
                if (mark != null) {
                    marks.add(mark);
                }
            }
        }
        FloorMark youngest = marks.stream()
                .max((a, b) -> Long.compare(a.writtenMillis(), b.writtenMillis()))
                .orElse(FloorMark.NONE);
        FloorMark former = new FloorMark(FloorMark.floorOf(marks), youngest.writtenMillis(), youngest.closed());
        String fileName = name.replaceAll("[^A-Za-z0-9.-]", "_") + FloorFile.SUFFIX;
        return new DurableFloor(new FloorFile(directory.resolve(fileName)), former, aheadMillis, stepMillis);
    }

    /** Returns what was known when it was opened. */
    public FloorMark former() {
        return former;
    }

    /** Returns up to when grants may reach, in milliseconds since 1970; 0 before the first {@link #reserve}. */
    public long untilMillis() {
        return untilMillis;
    }

    /** Whether {@link #reserve} would write. */
    public boolean isReserveDue(long nowMillis) {
        return untilMillis < nowMillis + aheadMillis;
    }

    /**
     * Writes the mark ahead if it is due. A mark never falls while the member lives.
     *
     * @param nowMillis cluster time
     * @throws IOException if it could not be written; the former one counts on
     */
    public synchronized void reserve(long nowMillis) throws IOException {
        if (!closed && isReserveDue(nowMillis)) {
            long until = Math.max(nowMillis + aheadMillis + stepMillis, former.untilMillis());
            file.write(new FloorMark(until, nowMillis, false));
            untilMillis = until;
        }
    }

    /**
     * Lowers the mark to what was used, when the last member leaves in order; nothing is reserved afterwards.
     *
     * @param usedUntilMillis no ID was granted at or above it, since 1970
     * @param nowMillis cluster time
     */
    public synchronized void close(long usedUntilMillis, long nowMillis) throws IOException {
        closed = true;
        file.write(new FloorMark(Math.min(usedUntilMillis, untilMillis), nowMillis, true));
    }
}
