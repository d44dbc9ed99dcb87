// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests guarded generators of type {@link OtherGenerator} in schedules of {@link TwoMemberSchedule}. */
class NodeLeasePropertyTest {
    private static final int STEPS = 10_000;
    private static final NodeLeaseConfig CONFIG =
            NodeLeaseConfig.builder("tsid0").maxNodeCount(3).build();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noIdIsLetOutTwiceHoweverClocksStep(long seed) {
        Schedule schedule = new Schedule(seed);
        for (int i = 0; i < STEPS; i++) {
            schedule.step();
        }
        // A schedule that gets stuck, or never needs the guard, would show nothing.
        assertThat(schedule.letOut).hasSizeGreaterThan(300);
        assertThat(schedule.generatorCount).isGreaterThan(10);
        assertThat(schedule.repeated).as("IDs that were made twice").isPositive();
    }

    private static final class Schedule extends TwoMemberSchedule {
        private final List<NodeLease> leases = new ArrayList<>();
        private final Map<NodeLease, NodeLease.Generator> generators = new HashMap<>();
        private final Set<Long> made = new HashSet<>();
        private final Set<Long> letOut = new HashSet<>();
        private int repeated;
        private int generatorCount;

        Schedule(long seed) {
            super(seed);
            members.forEach(this::lease);
        }

        @Override
        void doOther(int choice, int index) {
            switch (choice) {
                case 9 -> leases.get(index).close();
                case 10, 11, 14 -> lease(members.get(index));
                default -> disturb(members.get(index), index);
            }
        }

        @Override
        void generate(int index) throws InterruptedException {
            NodeLease.Generator generator = Objects.requireNonNull(generators.get(leases.get(index)));
            for (int i = 0; i < 6; i++) {
                long id = generator.next();
                assertThat(letOut.add(id)).as("%s is new", id).isTrue();
            }
        }

        /** Returns a generator that counts its repeated IDs, which it or another generator has made before. */
        private LongSupplier newGenerator(int nodeId, ManualClock clock) {
            generatorCount++;
            OtherGenerator generator = new OtherGenerator(nodeId, clock);
            return () -> {
                long id = generator.getAsLong();
                repeated += made.add(id) ? 0 : 1;
                return id;
            };
        }

        private void disturb(FakeMember member, int index) {
            switch (random.nextInt(8)) {
                case 0 -> member.coordinator.takeAway(CONFIG.name());
                case 1 -> loseNextGrant(member);
                case 2 -> member.sequencers.clusterChanged("its cluster is gone");
                case 3 -> {
                    if (random.nextInt(3) == 0) {
                        member.sequencers.destroy("lease", leases.get(index));
                    }
                }
                default -> member.keep();
            }
        }

        private void lease(FakeMember member) {
            NodeLease lease = member.sequencers.lease(CONFIG);
            generators.computeIfAbsent(
                    lease,
                    each -> each.generator(nodeId -> newGenerator(nodeId, member.clock), OtherGenerator::millisOf));
            int index = members.indexOf(member);
            if (index < leases.size()) {
                leases.set(index, lease);
            } else {
                leases.add(lease);
            }
        }
    }
}
