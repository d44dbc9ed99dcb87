// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests docs/migration/README.md. */
class IndexTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\|.*\\| (\\d{4}-\\d\\d-\\d\\d)[^|]* \\| (\\d{4}-\\d\\d) \\|$");
    private static final Instant SWITCH = Instant.parse("2026-11-23T00:00:00Z");

    /**
     * Tests the months in README.md's table. From such a month on, IDs with the new epoch and the default layout exceed
     * all IDs that the old generator made up to {@link #SWITCH}. The old generators have 22 bits below the time.
     */
    @Test
    void tableSaysWhenANewEpochWouldPassTheOldIds() throws Exception {
        List<MatchResult> rows =
                ROW.matcher(Page.of("README.md").text()).results().toList();
        assertThat(rows).hasSize(4);
        for (MatchResult row : rows) {
            SnowcastEpoch epoch = SnowcastEpoch.byInstant(
                    LocalDate.parse(row.group(1)).atStartOfDay(ZoneOffset.UTC).toInstant());
            long old = SnowflakeId.lowestId(SWITCH, SnowcastLayout.POSITIVE, epoch);
            Instant passed = SnowflakeId.of(old, SnowcastLayout.DEFAULT, Successor.NEW_EPOCH)
                    .instant();
            assertThat(YearMonth.from(passed.atZone(ZoneOffset.UTC))).hasToString(row.group(2));
        }
    }

    /** Tests the sequencer of the section "Without a stop", while the old generator is still in use. */
    @Test
    void anEarlierEpochKeepsAboveTheOldGenerator() throws Exception {
        SnowcastEpoch former = Page.of("snowflake.md").epoch();
        SnowcastEpoch earlier = SnowcastEpoch.byTimestamp(
                former.getEpochOffset() - Duration.ofDays(7).toMillis());
        Instant end = Instant.now().plus(Duration.ofDays(6));
        long fence = SnowflakeId.lowestId(end, SnowcastLayout.POSITIVE, former);
        Sequence old = new Sequence(31, 31);
        SnowcastSequencer orders = SnowcastSystem.standaloneSequencer(config(earlier, fence), 0);
        for (int i = 0; i < 10_000; i++) {
            assertThat(old.nextId()).isLessThan(fence);
            assertThat(orders.next()).isGreaterThan(fence);
        }
    }

    @Test
    void anEpochThatIsNotEarlyEnoughIsRefused() throws Exception {
        SnowcastEpoch former = Page.of("snowflake.md").epoch();
        long fence = SnowflakeId.lowestId(Instant.now().plus(Duration.ofDays(6)), SnowcastLayout.POSITIVE, former);
        assertThatThrownBy(() -> SnowcastSystem.standaloneSequencer(config(former, fence), 0))
                .isInstanceOf(SnowcastIllegalStateException.class);
    }

    private static SequencerConfig config(SnowcastEpoch epoch, long fence) {
        return SequencerConfig.builder("index")
                .epoch(epoch)
                .layout(SnowcastLayout.POSITIVE)
                .startAbove(fence)
                .build();
    }
}
