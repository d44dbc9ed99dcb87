// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests two members that have separate clocks and share one table, under random schedules. Grants are lost. Renewals
 * fail, are late, or are decided twice. Grants end unnoticed by their holders. Clocks step. Sequencers are detached,
 * destroyed and created again, and users still call former instances. A member must know every attached instance,
 * because it has to seal them all when it moves to another cluster.
 */
class SequencersPropertyTest {
    private static final int STEPS = 20_000;
    private static final String NAME = "orders0";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void idsAreUniqueAndOrderedByInstance(long seed) {
        Schedule schedule = new Schedule(seed);
        for (int i = 0; i < STEPS; i++) {
            schedule.step();
        }
        // A schedule that gets stuck issues fewer IDs.
        assertThat(schedule.issued).hasSizeGreaterThan(1_000);
        assertThat(schedule.lastIds).hasSizeGreaterThan(10);
    }

    private static final class Schedule extends TwoMemberSchedule {
        private final List<Sequencer> sequencers = new ArrayList<>();
        private final List<Sequencer> former = new ArrayList<>();
        private final Set<Long> issued = new HashSet<>();
        private final Map<Sequencer, Long> lastIds = new HashMap<>();

        Schedule(long seed) {
            super(seed);
            members.forEach(this::recreate);
        }

        @Override
        void step() {
            super.step();
            List<GrantHolder> sealable = sealable();
            issuing().filter(each -> !sealable.contains(each)).forEach(each -> fail(each + " is not sealable"));
        }

        @Override
        void doOther(int choice, int index) {
            switch (choice) {
                case 9 -> sequencers.get(index).detachLogicalNode();
                case 10 -> sequencers.get(index).attachLogicalNode();
                case 11 -> useFormer(members.get(index));
                case 14 -> recreate(members.get(index));
                default -> disturb(members.get(index), index);
            }
        }

        @Override
        void generate(int index) {
            generate(sequencers.get(index));
        }

        private Stream<Sequencer> issuing() {
            return Stream.concat(sequencers.stream(), former.stream())
                    .filter(each -> each.state().unsealed() != null);
        }

        private List<GrantHolder> sealable() {
            return members.stream()
                    .flatMap(member -> member.sequencers.leaseKeeper.names.all().stream())
                    .toList();
        }

        private void useFormer(FakeMember member) {
            if (former.isEmpty()) {
                sequencers.get(members.indexOf(member)).attachLogicalNode();
                return;
            }
            Sequencer any = former.get(random.nextInt(former.size()));
            if (any.requests.source == member.coordinator && random.nextBoolean()) {
                member.sequencers.destroy("sequencer", any);
            } else {
                any.attachLogicalNode();
            }
        }

        private void generate(Sequencer sequencer) {
            for (int i = 0; i < 6; i++) {
                sequencer.tryNext().ifPresent(id -> {
                    assertThat(issued.add(id)).as("%s is new", id).isTrue();
                    Long last = lastIds.put(sequencer, id);
                    if (last != null) {
                        assertThat(Comparator.comparingLong(sequencer::timestampValue)
                                        .thenComparing(sequencer::counterValue)
                                        .compare(last, id))
                                .as("%s after %s", id, last)
                                .isNegative();
                    }
                });
            }
        }

        private void disturb(FakeMember member, int index) {
            switch (random.nextInt(8)) {
                case 0 -> member.coordinator.takeAway(NAME);
                case 1 -> loseNextGrant(member);
                case 2 -> member.coordinator.onNextGrant(() -> generate(sequencers.get(1 - index)));
                case 3 -> {
                    if (random.nextInt(3) == 0) {
                        member.sequencers.destroy("sequencer", sequencers.get(index));
                    }
                }
                default -> member.keep();
            }
        }

        private void recreate(FakeMember member) {
            Sequencer created = (Sequencer)
                    member.sequencers.create(FakeCluster.config(NAME).build(), random.nextInt(4) > 0);
            int index = members.indexOf(member);
            if (index < sequencers.size()) {
                Sequencer before = sequencers.set(index, created);
                if (before != created) {
                    former.add(before);
                }
            } else {
                sequencers.add(created);
            }
        }
    }
}
