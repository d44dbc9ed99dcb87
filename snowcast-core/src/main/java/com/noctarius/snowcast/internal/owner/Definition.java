// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a sequencer or node lease, which must be the same in all processes.
 *
 * @param epochOffset the epoch in milliseconds since 1970
 * @param backupCount the number of synchronous backups of the sequencer's table, 0 to 6
 * @param startAbove the raw ID, unsigned, above which all IDs of the sequencer must lie; null for no such limit
 * @param leasedNodeCount how many node IDs a node lease has; 0 for a sequencer, whose layout defines the number
 */
public record Definition(
        long epochOffset,
        SnowcastLayout layout,
        int backupCount,
        @Nullable Long startAbove,
        int leasedNodeCount) {
    private static final long YEAR_2000_MILLIS = 946_684_800_000L;

    public Definition(long epochOffset, SnowcastLayout layout, int backupCount, @Nullable Long startAbove) {
        this(epochOffset, layout, backupCount, startAbove, 0);
    }

    public static Definition of(SequencerConfig config, int backupCount) {
        return new Definition(config.epoch().getEpochOffset(), config.layout(), backupCount, config.startAbove());
    }

    public Definition {
        if (leasedNodeCount != 0 && (leasedNodeCount < 2 || leasedNodeCount > layout.logicalNodeCount())) {
            throw new IllegalArgumentException("leasedNodeCount must be 0, or 2 to " + layout.logicalNodeCount()
                    + " with layout " + layout + ": " + leasedNodeCount);
        }
    }

    /** Returns the epoch of an existing definition. Never fails, and a {@link SequencerConfig} accepts the result. */
    public static SnowcastEpoch epochOf(long offsetMillis) {
        // A SequencerConfig rejects positive numbers for times before 2000; byInstant rejects only times in the future.
        return offsetMillis < YEAR_2000_MILLIS
                ? SnowcastEpoch.byInstant(Instant.ofEpochMilli(offsetMillis))
                : SnowcastEpoch.byTimestamp(offsetMillis);
    }

    public boolean isNodeLease() {
        return leasedNodeCount > 0;
    }

    /** Returns the kind and the name, for messages. */
    public String called(String name) {
        return kind() + ' ' + name;
    }

    public String kind() {
        return isNodeLease() ? "node lease" : "sequencer";
    }

    /**
     * Returns the number of node IDs, which begin at 0. A cluster may use only a range of them
     * ({@code snowcast.node.id.range}).
     */
    public int nodeIdCount() {
        return isNodeLease() ? leasedNodeCount : layout.logicalNodeCount();
    }

    /**
     * Converts milliseconds since 1970 to ID time. If an epoch far in the past makes this overflow, returns a time
     * beyond the end of every layout.
     */
    public long idTime(long millis) {
        long idTime = millis - epochOffset;
        return epochOffset < 0 && idTime < millis ? Long.MAX_VALUE : idTime;
    }

    Instant epoch() {
        return Instant.ofEpochMilli(epochOffset);
    }

    /** Throws if a clock's time, in milliseconds since 1970, is before the epoch or after the layout's last time. */
    public void requireTime(String name, long nowMillis) {
        if (epochOffset > nowMillis) {
            throw beforeEpoch(name, "this clock " + Instant.ofEpochMilli(nowMillis));
        }
        requireTimeLeft(name, nowMillis);
    }

    /** Throws if {@code nowMillis}, in milliseconds since 1970, is after the last time of the layout. */
    public void requireTimeLeft(String name, long nowMillis) {
        if (isUsedUp(nowMillis)) {
            throw new SnowcastIllegalStateException(
                    called(name) + ": " + usedUp(", not to " + Instant.ofEpochMilli(nowMillis)));
        }
    }

    /** Returns whether {@code nowMillis}, in milliseconds since 1970, is after the last time of the layout. */
    public boolean isUsedUp(long nowMillis) {
        return idTime(nowMillis) > layout.maxTimestamp();
    }

    /** Returns the message for a layout whose time is used up: the problem and the remedy. */
    public String usedUp() {
        return usedUp("");
    }

    private String usedUp(String butNotTo) {
        return "the time of layout " + layout + " is used up; from epoch " + epoch() + " it lasts to "
                + Instant.ofEpochMilli(epochOffset + layout.maxTimestamp()) + butNotTo
                + ": if the clock is right, take another name, with a later epoch or more bits of time";
    }

    /** Returns whether a ceiling, in ID time, is at the end of the layout's time, so that no renewal can raise it. */
    public boolean isEndOfTime(long ceiling) {
        return ceiling > layout.maxTimestamp();
    }

    /**
     * Returns the exception for a clock before the epoch. Its class says that a later call may succeed, because the
     * clock may be wrong.
     */
    SnowcastUnavailableException beforeEpoch(String name, String clocks) {
        return new SnowcastUnavailableException(
                called(name) + ": no ID can be made before its epoch, " + epoch() + " (" + clocks
                        + "): if a clock is wrong, set it; else take an epoch that is not in the future",
                null);
    }

    /**
     * Returns the first ID time whose IDs are all above {@link #startAbove}; 0 if there is no such limit. Each grant
     * begins at this time or later, so that the limit also holds after a loss of data.
     */
    public long firstIdTime(String name, long nowMillis, long maxAheadMillis) {
        return startAbove == null
                ? 0
                : firstAbove(startAbove, called(name) + ": startAbove is ", nowMillis, maxAheadMillis);
    }

    /**
     * Returns the first ID time whose IDs are all above an ID; throws if this time is more than {@code maxAheadMillis}
     * after {@code nowMillis}.
     */
    long firstAbove(long id, String what, long nowMillis, long maxAheadMillis) {
        long first = layout.timestampValue(id) + 1;
        if (first - idTime(nowMillis) <= maxAheadMillis) {
            return first;
        }
        boolean isEver = first <= layout.maxTimestamp();
        throw new SnowcastIllegalStateException(what + Long.toUnsignedString(id) + ". With layout " + layout
                + " and epoch " + epoch() + " greater ones begin "
                + (isEver ? "at " + Instant.ofEpochMilli(epochOffset + first) : "never") + "; it is "
                + Instant.ofEpochMilli(nowMillis) + ". Take "
                + (isEver
                        ? "an epoch up to " + Instant.ofEpochMilli(nowMillis - first)
                        : "a layout of more bits, such as " + SnowcastLayout.DEFAULT));
    }

    /** Returns the parts of this definition for messages, always in the same order. */
    private List<String> inWords() {
        return List.of(
                "maxNodeCount " + leasedNodeCount,
                "epoch " + epoch(),
                "layout " + layout,
                "backup count " + backupCount,
                startAbove == null ? "no startAbove" : "startAbove " + Long.toUnsignedString(startAbove));
    }

    /** Returns how this definition differs from the wanted one, as the end of a sentence that begins with the name. */
    public String differenceTo(Definition wanted) {
        if (isNodeLease() != wanted.isNodeLease()) {
            return " cannot be used as a " + wanted.kind() + ": the name stands for a " + kind()
                    + "; take another name";
        }
        String difference = IntStream.range(0, inWords().size())
                .filter(i -> !inWords().get(i).equals(wanted.inWords().get(i)))
                .mapToObj(i -> inWords().get(i) + ", not " + wanted.inWords().get(i))
                .collect(Collectors.joining("; "));
        return " is registered with another definition: " + difference
                + " (take the same in all processes, or another name)";
    }
}
