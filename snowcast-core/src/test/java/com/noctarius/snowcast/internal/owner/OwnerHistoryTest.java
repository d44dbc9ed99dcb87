// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a side of a split has given something of which the other one does not know. */
class OwnerHistoryTest {
    private static final UUID OWNER = new UUID(0, 1);
    private static final UUID BACKUP = new UUID(0, 2);
    private static final OwnerHistory.Owner OF_BOTH = new OwnerHistory.Owner(7, OWNER, 0, 1_000);

    /** The backup had to acknowledge what came after change 5; what came before may have been answered without it. */
    @ParameterizedTest
    @CsvSource({"4, false", "5, true", "6, true"})
    void backupOfTheOtherSideKnowsAllIfItHasWhatWasAnsweredBeforeItHadToAcknowledge(long known, boolean isAll) {
        OwnerHistory here = new OwnerHistory(List.of(OF_BOTH), new OwnerHistory.Acknowledgers(List.of(BACKUP), 5));
        OwnerHistory other = new OwnerHistory(
                List.of(OF_BOTH, new OwnerHistory.Owner(9, BACKUP, known, Long.MAX_VALUE)),
                OwnerHistory.Acknowledgers.UNKNOWN);
        assertThat(here.gaveNothingUnknownTo(other)).isEqualTo(isAll);
    }
}
