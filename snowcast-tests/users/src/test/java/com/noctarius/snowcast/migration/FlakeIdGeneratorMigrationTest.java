// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.flakeidgen.FlakeIdGenerator;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests docs/migration/flake-id-generator.md in a cluster with both generators. */
@Tag("integration")
class FlakeIdGeneratorMigrationTest {
    /** The IDs of one second. Above 64 IDs per millisecond, the generator runs ahead of the clock. */
    private static final int IDS = 64_000;

    @AutoClose("shutdown")
    private HazelcastInstance member;

    private Page page;

    @BeforeEach
    void start() throws Exception {
        member = Members.start();
        page = Page.of("flake-id-generator.md");
    }

    private List<Long> old() {
        FlakeIdGenerator generator = member.getFlakeIdGenerator("orders");
        return Stream.generate(generator::newId).limit(IDS).toList();
    }

    @Test
    void timeReadsAsThatOfTheSequencer() {
        Instant time = SnowflakeId.of(old().get(0), page.layout(), page.epoch()).instant();
        assertThat(Duration.between(time, Instant.now()).abs()).isLessThan(Duration.ofMinutes(2));
    }

    @Test
    void goesOnAboveAndRefusesANewEpoch() throws InterruptedException {
        Snowcast snowcast = SnowcastSystem.snowcast(member);
        Successor successor = new Successor(snowcast::createSequencer);
        successor.isRefusedWithANewEpoch(old(), page.layout());
        successor.goesOnAbove(old(), page);
    }
}
