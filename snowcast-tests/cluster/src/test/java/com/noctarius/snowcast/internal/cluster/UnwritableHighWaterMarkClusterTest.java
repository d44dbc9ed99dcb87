// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.logging.LogEvent;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
class UnwritableHighWaterMarkClusterTest {
    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory();

    private final List<LogRecord> logged = new CopyOnWriteArrayList<>();

    /** Replaces the directory with a file. Removing permissions would not stop root, a usual user in containers. */
    @Test
    void aFullDiskIsLoggedOnceAndToldToEachGrant(@TempDir Path temporary) throws Exception {
        Path directory = temporary.resolve("floors");
        Config config = Members.config("snowcast.high.water.mark.dir", directory.toString());
        HazelcastInstance member = factory.newHazelcastInstance(config);
        SnowcastSystem.snowcast(member).createSequencer("orders", SnowcastEpoch.byTimestamp(0));
        Files.move(directory, temporary.resolve("gone"));
        Files.writeString(directory, "");
        member.getLoggingService().addLogListener(Level.INFO, this::note);
        ClusterTime.setOffset(member, 200_000); // More than half of a lease, so that the next mark is due.
        SnowcastService service = Members.service(member);
        GrantBounds bounds = service.bounds();
        MarkKeeper keeper = requireNonNull(service.markKeeper);
        // The member also writes marks in the background. While it writes one, this call has no effect.
        while (logged.isEmpty()) {
            keeper.writeIfDue(Runnable::run);
        }
        keeper.writeIfDue(Runnable::run);

        assertThat(logged).hasSize(1);
        assertThat(logged.get(0).getThrown()).isNotNull();
        assertThat(bounds.rules().durableProblem())
                .contains("the high-water mark of member ")
                .contains("snowcast.high.water.mark.dir=" + directory + ", cannot be written since 20");

        Files.delete(directory);
        Files.move(temporary.resolve("gone"), directory);
        while (logged.size() < 2) {
            keeper.writeIfDue(Runnable::run);
        }
        assertThat(bounds.rules().durableProblem()).isEmpty();
        assertThat(logged.get(1).getMessage()).contains("The high-water mark is written again; it failed since 20");
    }

    private void note(LogEvent event) {
        if (event.getLogRecord().getMessage().contains("high-water mark")) {
            logged.add(event.getLogRecord());
        }
    }
}
