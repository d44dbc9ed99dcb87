// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.SnowcastLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the problems of a set of IDs. Not thread-safe. */
final class IdCheck implements Closeable {
    private final Finding duplicates = new Finding("duplicates");
    private final Finding unordered = new Finding("below the one before");
    private final Finding beyondLayout = new Finding("beyond the layout");
    private final Finding inFuture = new Finding("in the future");
    private final Finding nodeOutOfRange = new Finding("node out of range");
    private final LongSorter sorter;
    private final @Nullable Bounds bounds;
    private long count;
    private long previous;
    private boolean isRising;

    /**
     * The bounds of valid IDs.
     *
     * @param latestMillis the latest time, in milliseconds since the epoch
     * @param firstNode the lowest node ID
     * @param lastNode the highest node ID
     */
    record Bounds(SnowcastLayout layout, long latestMillis, int firstNode, int lastNode) {
        static Bounds of(Definition.Known known, Instant latest, int firstNode, int lastNode) {
            return new Bounds(
                    known.layout(), latest.toEpochMilli() - known.epoch().getEpochOffset(), firstNode, lastNode);
        }
    }

    IdCheck(@Nullable Bounds bounds, int capacity, Path directory) {
        this.bounds = bounds;
        this.sorter = new LongSorter(capacity, directory);
    }

    /** @param line the line of the ID; 0 if it is not known */
    void add(long id, long line) throws IOException {
        int step = count++ == 0 ? 0 : Long.compareUnsigned(id, previous);
        isRising |= step > 0;
        if (step < 0) {
            unordered.add(id, line);
        }
        previous = id;
        if (bounds != null) {
            check(id, line, bounds);
        }
        sorter.add(id);
    }

    private void check(long id, long line, Bounds within) {
        SnowcastLayout layout = within.layout();
        long timestamp = layout.timestampValue(id);
        int node = layout.logicalNodeId(id);
        if (timestamp > layout.maxTimestamp()) {
            beyondLayout.add(id, line);
        } else if (timestamp > within.latestMillis()) {
            inFuture.add(id, line);
        } else if (node < within.firstNode() || node > within.lastNode()) {
            nodeOutOfRange.add(id, line);
        }
    }

    long count() {
        return count;
    }

    /** Counts duplicates. An ID that occurs three times counts as two duplicates. */
    void findDuplicates() throws IOException {
        long[] former = new long[1];
        boolean[] isFirst = {true};
        sorter.forEach(id -> {
            if (!isFirst[0] && id == former[0]) {
                duplicates.add(id, 0);
            }
            isFirst[0] = false;
            former[0] = id;
        });
    }

    /** Returns whether the IDs descend, as with {@code ORDER BY id DESC}. Descending order is valid, too. */
    boolean isDescending() {
        return unordered.count() > 0 && !isRising;
    }

    /** Returns the IDs that are lower than the ID before them; none if the IDs descend. */
    Finding unordered() {
        return isDescending() ? new Finding(unordered.name()) : unordered;
    }

    /**
     * Records the line of an ID if the ID is an example of a duplicate. To be called when the file is read a second
     * time.
     */
    void addLine(long id, long line) {
        duplicates.addLine(id, line);
    }

    boolean hasDuplicates() {
        return duplicates.count() > 0;
    }

    /** Returns the findings about everything except the order of the IDs. */
    List<Finding> errors() {
        return bounds == null ? List.of(duplicates) : List.of(duplicates, beyondLayout, inFuture, nodeOutOfRange);
    }

    @Override
    public void close() throws IOException {
        sorter.close();
    }
}
