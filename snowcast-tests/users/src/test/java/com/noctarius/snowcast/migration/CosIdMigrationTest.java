// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import me.ahoo.cosid.converter.Radix62IdConverter;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import me.ahoo.cosid.snowflake.SafeJavaScriptSnowflakeId;
import me.ahoo.cosid.snowflake.SecondSnowflakeId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests docs/migration/cosid.md with IDs of CosId's generators in their default configuration. */
class CosIdMigrationTest {
    private static final int HIGHEST_NODE = 1_023;

    private Page page;

    @BeforeEach
    void read() throws IOException {
        page = Page.of("cosid.md");
    }

    private static List<Long> ofMilliseconds() {
        return Successor.idsOf(new ClockSyncSnowflakeId(new MillisecondSnowflakeId(HIGHEST_NODE))::generate);
    }

    private static List<Long> ofSeconds() {
        return Successor.idsOf(new SecondSnowflakeId(HIGHEST_NODE)::generate);
    }

    @Test
    void idsAndTextReadAsThoseOfTheSequencer() {
        long old = ofMilliseconds().get(0);
        SnowflakeId id = SnowflakeId.of(old, page.layout(), page.epoch());
        assertThat(Duration.between(id.instant(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        assertThat(id.logicalNodeId()).isEqualTo(HIGHEST_NODE);
        assertThat(SnowflakeId.toBase62(old)).isEqualTo(Radix62IdConverter.PAD_START.asString(old));
    }

    @Test
    void goesOnAbove() throws InterruptedException {
        Successor.standalone().goesOnAbove(ofMilliseconds(), page);
    }

    @Test
    void newEpochIsRefused() throws InterruptedException {
        Successor.standalone().isRefusedWithANewEpoch(ofMilliseconds(), page.layout());
    }

    /**
     * CosId's epoch is a number of seconds, but this generator uses it as a number of milliseconds. The page's table
     * has the resulting epoch.
     */
    @Test
    void goesOnAboveWhatIsSafeInJavaScript() throws InterruptedException {
        List<Long> old = Successor.idsOf(SafeJavaScriptSnowflakeId.ofMillisecond(7)::generate);
        Matcher epoch = Pattern.compile("`javascript`, epoch (\\S+Z)").matcher(page.text());
        assertThat(epoch.find()).isTrue();
        Instant instant = Instant.parse(epoch.group(1));
        Successor.standalone().goesOnAbove(old, SnowcastEpoch.byInstant(instant), SnowcastLayout.JAVASCRIPT);
        Successor.standalone().requireRefused(old, page.epoch(), SnowcastLayout.JAVASCRIPT);
    }

    /**
     * These IDs grow in a second as much as IDs of the page's layout grow in 1,024 ms, so the page's epoch is not early
     * enough.
     */
    @Test
    void epochOfSecondsIsTheOneThatTheMessageNames() throws InterruptedException {
        Successor.standalone().requireRefused(ofSeconds(), page.epoch(), page.layout());
    }
}
