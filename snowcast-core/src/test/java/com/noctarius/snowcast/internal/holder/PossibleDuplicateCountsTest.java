// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.base.ShownMetrics;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PossibleDuplicateCountsTest {
    private final PossibleDuplicateCounts counts = new PossibleDuplicateCounts();

    private Map<String, String> shown() {
        ShownMetrics shown = new ShownMetrics();
        counts.show(shown);
        return shown.all();
    }

    private static PossibleDuplicateIntegers integers(long first, long last) {
        return new PossibleDuplicateIntegers("orders", first, last);
    }

    @Test
    void nodeIdsAndIntegersAreCountedApart() {
        PossibleDuplicates nodeId = new PossibleDuplicates("orders", 1, Instant.EPOCH, Instant.EPOCH.plusMillis(1));
        counts.add(List.of(nodeId, nodeId), List.of(integers(1, 10)));
        counts.add(List.of(), List.of(integers(20, 20), integers(31, 35)));

        assertThat(shown()).isEqualTo(Map.of("possibleDuplicates", "2", "possibleDuplicateIntegers", "16"));
    }

    @Test
    void moreThanALongHoldsStaysAtTheGreatest() {
        String greatest = Long.toString(Long.MAX_VALUE);
        counts.add(List.of(), List.of(integers(0, Long.MAX_VALUE)));
        assertThat(shown()).containsEntry("possibleDuplicateIntegers", greatest);
        counts.add(List.of(), List.of(integers(1, Long.MAX_VALUE), integers(1, 2)));
        assertThat(shown()).containsEntry("possibleDuplicateIntegers", greatest);
    }
}
