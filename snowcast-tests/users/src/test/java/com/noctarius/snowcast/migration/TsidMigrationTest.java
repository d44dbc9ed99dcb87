// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.f4b6a3.tsid.Tsid;
import com.github.f4b6a3.tsid.TsidCreator;
import com.github.f4b6a3.tsid.TsidFactory;
import com.noctarius.snowcast.ids.SnowflakeId;
import io.hypersistence.tsid.TSID;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests docs/migration/tsid.md with IDs of the page's two libraries in their default configuration. */
class TsidMigrationTest {
    private Page page;

    @BeforeEach
    void read() throws IOException {
        page = Page.of("tsid.md");
    }

    private static List<Long> ofTsidCreator() {
        return Successor.idsOf(() -> TsidCreator.getTsid().toLong());
    }

    private static List<Long> ofHypersistence() {
        return Successor.idsOf(() -> TSID.Factory.getTsid().toLong());
    }

    @Test
    void timeAndTextReadAsThoseOfTheSequencer() {
        Tsid old = TsidCreator.getTsid();
        SnowflakeId id = SnowflakeId.of(old.toLong(), page.layout(), page.epoch());
        assertThat(Duration.between(id.instant(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        assertThat(id.instant()).isEqualTo(old.getInstant());
        assertThat(SnowflakeId.toBase32(old.toLong())).isEqualTo(old.toString());

        TSID other = TSID.Factory.getTsid();
        assertThat(SnowflakeId.of(other.toLong(), page.layout(), page.epoch()).instant())
                .isEqualTo(other.getInstant());
        assertThat(SnowflakeId.toBase32(other.toLong())).isEqualTo(other.toString());
    }

    @Test
    void goesOnAbove() throws InterruptedException {
        Successor.standalone().goesOnAbove(ofTsidCreator(), page);
        Successor.standalone().goesOnAbove(ofHypersistence(), page);
    }

    /** The factory has four IDs per millisecond. When these are used up, it takes IDs of later milliseconds. */
    @Test
    void goesOnAboveIdsThatAreAheadOfTheClock() throws InterruptedException {
        TsidFactory factory = TsidFactory.builder().withNodeBits(20).withNode(0).build();
        List<Long> old =
                Stream.generate(factory::create).limit(2_000).map(Tsid::toLong).toList();
        SnowflakeId highest = SnowflakeId.of(Successor.highest(old), page.layout(), page.epoch());
        assertThat(highest.instant()).isAfter(Instant.now());
        Successor.standalone().goesOnAbove(old, page);
    }

    @Test
    void newEpochIsRefused() throws InterruptedException {
        Successor.standalone().isRefusedWithANewEpoch(ofTsidCreator(), page.layout());
        Successor.standalone().isRefusedWithANewEpoch(ofHypersistence(), page.layout());
    }
}
