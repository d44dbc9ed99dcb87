// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import static com.noctarius.snowcast.internal.holder.FakeCluster.LEASE_MILLIS;
import static com.noctarius.snowcast.internal.holder.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.holder.RandomReplies.LostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As {@link SequencersPropertyTest}, for guarded generators that trust their clocks. */
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
        // So that a schedule that got stuck is noticed, and one that asks nothing of the guard.
        assertThat(schedule.letOut).hasSizeGreaterThan(300);
        assertThat(schedule.generatorCount).isGreaterThan(10);
        assertThat(schedule.repeated).as("IDs that were made twice").isPositive();
    }

    private static final class Schedule {
        private final Random random;
        private final FakeCluster cluster;
        private final List<ManualClock> clocks;
        private final List<FakeMember> members;
        private final List<NodeLease> leases = new ArrayList<>();
        private final Map<NodeLease, NodeLease.Generator> generators = new HashMap<>();
        private final RandomReplies replies;
        private final Set<Long> made = new HashSet<>();
        private final Set<Long> letOut = new HashSet<>();
        private int repeated;
        private int generatorCount;

        Schedule(long seed) {
            random = new Random(seed);
            replies = new RandomReplies(random);
            clocks = List.of(
                    ManualClock.autoAdvancing(START),
                    ManualClock.autoAdvancing(START),
                    ManualClock.autoAdvancing(START));
            cluster = new FakeCluster(clocks.get(2));
            members = List.of(cluster.join(clocks.get(0)), cluster.join(clocks.get(1)));
            members.forEach(this::lease);
        }

        void step() {
            int index = random.nextInt(2);
            FakeMember member = members.get(index);
            try {
                switch (random.nextInt(16)) {
                    case 0, 1, 2, 3, 12, 13 -> generate(index);
                    case 4 -> {
                        long millis = random.nextInt(6) == 0 ? random.nextLong(LEASE_MILLIS) : random.nextInt(20);
                        clocks.forEach(clock -> clock.advanceMillis(millis));
                    }
                    case 5 -> stepWall(member.clock);
                    case 6 -> member.keep();
                    case 7 -> replies.answer(member.coordinator);
                    case 8 -> replies.deliver();
                    case 9 -> leases.get(index).close();
                    case 10, 11, 14 -> lease(member);
                    default -> disturb(member, index);
                }
            } catch (SnowcastException | LostException | OtherGenerator.ClockWentBackException e) {
                // No lease, clocks too far apart, no node free, or a loss: failing is allowed, a duplicate is not.
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private void generate(int index) throws InterruptedException {
            NodeLease.Generator generator = Objects.requireNonNull(generators.get(leases.get(index)));
            for (int i = 0; i < 6; i++) {
                long id = generator.next();
                assertThat(letOut.add(id)).as("%s is new", id).isTrue();
            }
        }

        /** Also says how often the other generators repeat each other, or themselves. */
        private LongSupplier newGenerator(int nodeId, ManualClock clock) {
            generatorCount++;
            OtherGenerator generator = new OtherGenerator(nodeId, clock);
            return () -> {
                long id = generator.getAsLong();
                repeated += made.add(id) ? 0 : 1;
                return id;
            };
        }

        private void stepWall(ManualClock clock) {
            long target = clocks.get(2).millis() + random.nextLong(-3_000, 3_000);
            clock.stepWall(target - clock.millis());
        }

        private void disturb(FakeMember member, int index) {
            switch (random.nextInt(8)) {
                case 0 -> member.coordinator.takeAway(CONFIG.name());
                case 1 ->
                    member.coordinator.onNextGrant(() -> {
                        throw new LostException();
                    });
                case 2 -> member.sequencers.clusterChanged("its cluster is gone");
                case 3 -> {
                    if (random.nextInt(3) == 0) {
                        member.sequencers.destroy(leases.get(index));
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
