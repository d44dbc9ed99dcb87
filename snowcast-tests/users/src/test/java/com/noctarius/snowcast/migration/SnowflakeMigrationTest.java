// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.agrona.concurrent.SnowflakeIdGenerator;
import org.agrona.concurrent.SystemEpochClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests docs/migration/snowflake.md with IDs of MyBatis-Plus and of another generator with Twitter's epoch and layout.
 */
class SnowflakeMigrationTest {
    private static final int HIGHEST_NODE = 1_023;

    private Page page;

    @BeforeEach
    void read() throws IOException {
        page = Page.of("snowflake.md");
    }

    private static List<Long> ofMybatisPlus() {
        DefaultIdentifierGenerator generator = new DefaultIdentifierGenerator(31, 31);
        return Successor.idsOf(() -> generator.nextId(new Object()));
    }

    private List<Long> ofTwitter() {
        SnowflakeIdGenerator generator = new SnowflakeIdGenerator(
                SnowflakeIdGenerator.NODE_ID_BITS_DEFAULT,
                SnowflakeIdGenerator.SEQUENCE_BITS_DEFAULT,
                HIGHEST_NODE,
                page.epoch().getEpochOffset(),
                SystemEpochClock.INSTANCE);
        return Successor.idsOf(generator::nextId);
    }

    @Test
    void idsOfMybatisPlusReadAsThoseOfTheSequencer() {
        SnowflakeId id = SnowflakeId.of(ofMybatisPlus().get(0), page.layout(), page.epoch());
        assertThat(Duration.between(id.instant(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        assertThat(id.logicalNodeId()).isEqualTo(HIGHEST_NODE);
    }

    @Test
    void goesOnAboveMybatisPlus() throws InterruptedException {
        Successor.standalone().goesOnAbove(ofMybatisPlus(), page);
    }

    @Test
    void goesOnAboveTwittersLayout() throws InterruptedException {
        Successor.standalone().goesOnAbove(ofTwitter(), page);
    }

    @Test
    void newEpochIsRefused() throws InterruptedException {
        Successor.standalone().isRefusedWithANewEpoch(ofMybatisPlus(), page.layout());
        Successor.standalone().isRefusedWithANewEpoch(ofTwitter(), page.layout());
    }
}
