// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.tests.Await;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a cluster in which one member keeps a high-water mark and the other does not. */
@Tag("integration")
class MixedSafetyClusterTest {
    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory(3);

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    private HazelcastInstance start(boolean hasMark, boolean isLite) {
        Config config =
                hasMark ? Members.config("snowcast.high.water.mark.dir", directory.toString()) : Members.config();
        HazelcastInstance member = factory.newHazelcastInstance(config.setLiteMember(isLite));
        member.getLoggingService()
                .addLogListener(
                        Level.WARNING,
                        event -> warnings.add(event.getLogRecord().getMessage()));
        return member;
    }

    private static void requireAttaches(HazelcastInstance member, String name) {
        assertThat(SnowcastSystem.snowcast(member)
                        .createSequencer(name, SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
                        .getSequencerState())
                .isEqualTo(SnowcastSequenceState.Attached);
    }

    @Test
    void memberWithoutAMarkDoesNotStayWithMembersThatHaveOne() {
        HazelcastInstance with = start(true, false);
        // If the member leaves before its start returns, the start fails.
        try {
            HazelcastInstance without = start(false, false);
            Await.until(
                    "the member without a mark leaves",
                    () -> !without.getLifecycleService().isRunning());
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("Node failed to start!");
        }
        Await.until(
                "the member with a mark is alone",
                () -> with.getCluster().getMembers().size() == 1);
        requireAttaches(with, "orders");
    }

    @Test
    void memberWithAMarkJoinsThoseWithoutOneAndTheyWarn() {
        List<HazelcastInstance> members = new ArrayList<>(List.of(start(false, false), start(true, false)));
        for (int i = 0; i < members.size(); i++) {
            requireAttaches(members.get(i), "orders-" + i);
        }
        // The log listener of the first member was added before the second member joined, so it sees the warning.
        Await.until(
                "the first one warns",
                () -> warnings.stream()
                        .anyMatch(line -> line.contains("high.water.mark.dir is not set here and set there")));
    }

    @Test
    void liteMemberNeedsNoMark() {
        HazelcastInstance with = start(true, false);
        HazelcastInstance lite = start(false, true);
        requireAttaches(lite, "orders");
        requireAttaches(with, "bills");
        assertThat(lite.getLifecycleService().isRunning()).isTrue();
        assertThat(warnings).noneMatch(line -> line.contains("do not survive the same"));
    }
}
