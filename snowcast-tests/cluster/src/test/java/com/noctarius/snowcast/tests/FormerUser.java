// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastNodeConfigurator;
import com.noctarius.snowcast.SnowcastSequenceComparator;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequenceUtils;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.ArrayList;
import java.util.List;

/** User code that was written for snowcast 1 and 2. */
@SuppressWarnings({"deprecation", "StatementSwitchToExpressionSwitch"}) // The way it was written then.
final class FormerUser {
    private FormerUser() {}

    /** Decorates a sequencer, and counts its IDs. */
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

    /** A decorator that returns a {@link CountingSequencer} for each sequencer. */
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

    /** Generates two IDs. Returns the parts of each, as the static methods and as the sequencer decode them. */
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
