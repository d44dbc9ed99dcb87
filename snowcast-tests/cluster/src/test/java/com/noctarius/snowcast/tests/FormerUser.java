// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastMaxLogicalNodeIdOutOfBoundsException;
import com.noctarius.snowcast.SnowcastNodeConfigurator;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequenceComparator;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequenceUtils;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastTimestampComparator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Comparator;
import java.util.List;
import java.util.TimeZone;

/**
 * A user's classes as written for snowcast 1 and 2: they use every public type, constructor and method of those
 * versions.
 */
@SuppressWarnings({"deprecation", "StatementSwitchToExpressionSwitch"}) // The style of that time.
final class FormerUser {
    private FormerUser() {}

    /** Counts the IDs, and delegates the rest to the wrapped sequencer. */
    static final class CountingSequencer implements SnowcastSequencer {
        private final SnowcastSequencer wrapped;
        int count;

        CountingSequencer(SnowcastSequencer wrapped) {
            this.wrapped = wrapped;
        }

        @Override
        public String getSequencerName() {
            return wrapped.getSequencerName();
        }

        @Override
        public long next() throws InterruptedException {
            count++;
            return wrapped.next();
        }

        @Override
        public SnowcastSequenceState getSequencerState() {
            return wrapped.getSequencerState();
        }

        @Override
        public SnowcastSequencer attachLogicalNode() {
            wrapped.attachLogicalNode();
            return this;
        }

        @Override
        public SnowcastSequencer detachLogicalNode() {
            wrapped.detachLogicalNode();
            return this;
        }

        @Override
        public long timestampValue(long id) {
            return wrapped.timestampValue(id);
        }

        @Override
        public int logicalNodeId(long id) {
            return wrapped.logicalNodeId(id);
        }

        @Override
        public int counterValue(long id) {
            return wrapped.counterValue(id);
        }
    }

    /** Wraps the sequencers that it creates. */
    static final class CountingSnowcast implements Snowcast {
        private final Snowcast wrapped;

        CountingSnowcast(Snowcast wrapped) {
            this.wrapped = wrapped;
        }

        @Override
        public SnowcastSequencer createSequencer(String name, SnowcastEpoch epoch) {
            return new CountingSequencer(wrapped.createSequencer(name, epoch));
        }

        @Override
        public SnowcastSequencer createSequencer(String name, SnowcastEpoch epoch, int maxLogicalNodeCount) {
            return new CountingSequencer(wrapped.createSequencer(name, epoch, maxLogicalNodeCount));
        }

        @Override
        public void destroySequencer(SnowcastSequencer sequencer) {
            wrapped.destroySequencer(((CountingSequencer) sequencer).wrapped);
        }
    }

    static Config config(Config own) {
        Config ofSnowcast = SnowcastNodeConfigurator.buildSnowcastAwareConfig();
        ofSnowcast.setClusterName(own.getClusterName());
        return SnowcastNodeConfigurator.buildSnowcastAwareConfig(own);
    }

    static List<Snowcast> allWaysIn(HazelcastInstance hazelcast) {
        return List.of(
                SnowcastSystem.snowcast(hazelcast, 1),
                SnowcastSystem.snowcast(hazelcast),
                Snowcast.snowcast(hazelcast),
                Snowcast.snowcast(hazelcast, 1));
    }

    static List<SnowcastEpoch> sameEpoch(long timestamp) {
        Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("UTC"));
        calendar.setTimeInMillis(timestamp);
        return List.of(
                SnowcastEpoch.byTimestamp(timestamp),
                SnowcastEpoch.byInstant(Instant.ofEpochMilli(timestamp)),
                SnowcastEpoch.byCalendar(calendar));
    }

    static boolean isNow(SnowcastEpoch epoch, long millis) {
        return Math.abs(epoch.getEpochTimestamp() + epoch.getEpochOffset() - millis) < 60_000;
    }

    /** Takes IDs with a detach in between, and returns their decoded parts. */
    static List<String> decoded(SnowcastSequencer sequencer, int maxLogicalNodeCount) throws InterruptedException {
        List<Long> ids = new ArrayList<>();
        ids.add(sequencer.next());
        ids.add(sequencer.detachLogicalNode().attachLogicalNode().next());
        ids.sort(new SnowcastSequenceComparator(maxLogicalNodeCount));
        List<String> decoded = new ArrayList<>();
        for (long id : ids) {
            decoded.add(SnowcastSequenceUtils.timestampValue(id) + "/"
                    + SnowcastSequenceUtils.logicalNodeId(id, maxLogicalNodeCount) + "/"
                    + SnowcastSequenceUtils.counterValue(id, maxLogicalNodeCount) + " = "
                    + sequencer.timestampValue(id) + "/" + sequencer.logicalNodeId(id) + "/"
                    + sequencer.counterValue(id));
        }
        return decoded;
    }

    static int compared(SnowcastSequencer sequencer, long first, long second) {
        return SnowcastSequenceUtils.snowcastSequenceComparator(sequencer).compare(first, second);
    }

    static List<Integer> ordered(long first, long second) {
        Comparator<Long> byTime = SnowcastTimestampComparator.INSTANCE;
        return List.of(
                byTime.compare(first, second),
                SnowcastTimestampComparator.valueOf("INSTANCE").compare(first, second),
                new SnowcastSequenceComparator(8192).compare(first, second),
                SnowcastSequenceUtils.compareTimestamp(first, second),
                SnowcastSequenceUtils.compareSequence(first, second),
                SnowcastSequenceUtils.compareSequence(first, second, 8192),
                Long.compare(SnowcastSequenceUtils.logicalNodeId(first), SnowcastSequenceUtils.logicalNodeId(second)),
                Long.compare(SnowcastSequenceUtils.counterValue(first), SnowcastSequenceUtils.counterValue(second)));
    }

    /** A user's retry with the user's own subclass of a snowcast exception. */
    static final class NoIdException extends SnowcastException {
        private static final long serialVersionUID = 1L;

        NoIdException(Throwable cause) {
            super(cause);
        }
    }

    static List<SnowcastException> exceptions() {
        Throwable cause = new IllegalStateException("why");
        return List.of(
                new NoIdException(cause),
                new SnowcastException("what"),
                new SnowcastException("what", cause),
                new SnowcastIllegalStateException("what"),
                new SnowcastMaxLogicalNodeIdOutOfBoundsException("what"),
                new SnowcastNodeIdsExceededException(),
                new SnowcastSequencerAlreadyRegisteredException("what"),
                new SnowcastStateException("what"));
    }

    static String describe(SnowcastSequenceState state) {
        switch (state) {
            case Detached:
                return "idle";
            case Attached:
                return "busy";
            case Destroyed:
                return "gone";
        }
        throw new AssertionError(state);
    }
}
