// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterEventTest {
    @Test
    void theNewestFindingsAreKept() {
        DuplicatesReported first = new DuplicatesReported(List.of(ids("a"), ids("b")));
        DuplicatesReported second = new DuplicatesReported(List.of(ids("c")));

        assertThat(first.with(second, 2)).isEqualTo(new DuplicatesReported(List.of(ids("b"), ids("c"))));
        assertThat(new DuplicatesReported(List.of()).with(first, 1))
                .as("one event of more than the limit")
                .isEqualTo(new DuplicatesReported(List.of(ids("b"))));
    }

    private static PossibleDuplicates ids(String name) {
        return new PossibleDuplicates(name, -1, Instant.EPOCH, Instant.ofEpochMilli(9));
    }
}
