// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeStatesTest {
    private static final int NODES = 24;

    private final NodeStates states = new NodeStates();

    private static NodeState state(int node, long version) {
        return new NodeState(node, version, new Token(1, version, new UUID(0, version)), 1, 0, 0, true);
    }

    @Test
    void holdsWhatATreeMapHolds() {
        Random random = new Random(1);
        TreeMap<Integer, NodeState> expected = new TreeMap<>();
        for (int i = 0; i < 500; i++) {
            NodeState state = state(random.nextInt(NODES), i);
            states.put(state);
            expected.put(state.logicalNodeId(), state);

            assertThat(states.size()).isEqualTo(expected.size());
            assertThat(states.values()).containsExactlyElementsOf(expected.values());
            for (int node = 0; node < NODES; node++) {
                assertThat(states.get(node)).isEqualTo(expected.get(node));
            }
        }
    }

    @Test
    void firstWithoutIsTheLowestThatIsMissing() {
        Random random = new Random(2);
        while (states.size() < NODES) {
            int node = random.nextInt(NODES);
            states.put(state(node, 1));
            for (int from = 0; from < NODES; from++) {
                for (int to = from - 1; to < NODES; to++) {
                    assertThat(states.firstWithout(from, to))
                            .as("%s from %d to %d", states.values(), from, to)
                            .isEqualTo(IntStream.rangeClosed(from, to)
                                    .filter(each -> states.get(each) == null)
                                    .findFirst()
                                    .orElse(-1));
                }
            }
        }
    }

    @Test
    void earliestIsTheOneWithTheLowestFloorOfThoseWanted() {
        Random random = new Random(3);
        for (int i = 0; i < 500; i++) {
            int node = random.nextInt(NODES);
            long floor = random.nextInt(100);
            boolean attached = random.nextBoolean();
            states.put(new NodeState(node, i, new Token(1, i, new UUID(0, i)), 1, floor, floor + 10, attached));
            if (i == 400) {
                states.clear();
            }

            NodeState earliest = states.earliest(state -> !state.leased());

            assertThat(states.values().stream()
                            .filter(state -> !state.leased())
                            .mapToLong(NodeState::nextFloor)
                            .min())
                    .isEqualTo(earliest == null ? OptionalLong.empty() : OptionalLong.of(earliest.nextFloor()));
        }
    }

    @Test
    void clearLeavesNothing() {
        states.put(state(3, 1));
        states.clear();

        assertThat(states.values()).isEmpty();
        assertThat(states.firstWithout(3, 3)).isEqualTo(3);
    }
}
