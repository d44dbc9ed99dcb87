// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.SteadyClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests members in separate processes whose wall clocks are set while they run. A preloaded library changes the time
 * that the JVM of a member reads. Skipped on machines without a C compiler that can build this library.
 */
@Tag("faults")
class RealClocksTest {
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration MAX_SKEW = Duration.ofSeconds(3);

    /** Hazelcast's default: without heartbeats for this time, a member is removed from the cluster. */
    private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(60);

    /**
     * The number of renewals to wait for. A member renews at half of its lease, so these renewals take longer than the
     * lease that the member has when its clock is set.
     */
    private static final int RENEWALS = 4;

    @TempDir
    private static Path libraries = Path.of("");

    private static Path library = Path.of("");

    private final List<WallClock> clocks = new ArrayList<>();

    @TempDir
    private Path directory = Path.of("");

    @AutoClose
    private WriterProcesses members;

    @BeforeAll
    static void compile() {
        Optional<Path> compiled = WallClock.compile(libraries);
        assumeTrue(compiled.isPresent(), "cc does not compile a library here: a C compiler has it");
        library = compiled.orElseThrow();
    }

    private void start(int size, Duration lease, String... more) throws IOException {
        List<String> flags = new ArrayList<>(List.of(
                "-D" + IdWriter.PAUSE + "=5",
                "-Dsnowcast.lease.millis=" + lease.toMillis(),
                "-Dsnowcast.max.clock.skew.millis=" + MAX_SKEW.toMillis()));
        flags.addAll(List.of(more));
        members = new WriterProcesses(
                TcpCluster.newClusterName(), "orders", SnowcastLayout.DEFAULT, directory, flags, new Ledger());
        for (int i = 0; i < size; i++) {
            WallClock clock = new WallClock(library, libraries, "member-" + FreePort.get());
            clocks.add(clock);
            List<String> peers = members.living().stream()
                    .map(member -> member.task().address())
                    .toList();
            members.addAt(clock.wrapper(), IdWriter.Role.MEMBER, TcpCluster.LOOPBACK, FreePort.get(), peers)
                    .awaitMore(1);
        }
        members.living().forEach(member -> member.awaitRenewals(1));
    }

    /** Returns how far the time of a member's last ID is ahead of the test's own clock, which is right. */
    private static Duration ahead(WriterProcess member) {
        long[] ids = member.ids();
        long timeMillis =
                TestCluster.EPOCH.getEpochOffset() + SnowcastLayout.DEFAULT.timestampValue(ids[ids.length - 1]);
        return Duration.ofMillis(timeMillis - System.currentTimeMillis());
    }

    /**
     * Fails unless all members issue IDs for longer than a lease, and their last IDs are ahead of the right time by
     * less than lease + skew.
     */
    private void requireThatIdsGoOn(int renewals, Duration lease) {
        members.living().forEach(member -> member.awaitRenewals(renewals));
        members.living().forEach(member -> assertThat(ahead(member)).isLessThan(lease.plus(MAX_SKEW)));
    }

    @ParameterizedTest
    @CsvSource({"1, 0, -PT60S", "1, 0, P2D", "3, 0, -PT60S", "3, 0, -PT120S", "3, 0, P2D", "3, 2, -P2D"})
    void idsGoOnWhicheverClockIsSet(int size, int wrong, Duration step) throws Exception {
        start(size, LEASE);
        clocks.get(wrong).setAhead(step);
        requireThatIdsGoOn(RENEWALS, LEASE);
        clocks.get(wrong).setAhead(Duration.ZERO);
        requireThatIdsGoOn(RENEWALS, LEASE);
        members.stopAndCheck(List.of());
    }

    /**
     * The clock stays an hour behind for longer than {@link SteadyClock} needs to confirm the step, and then runs at
     * half speed. Or it stays ahead for longer than Hazelcast's heartbeat time-out: the member must not remove the
     * others.
     */
    @ParameterizedTest
    @CsvSource({"1, -PT1H", "3, PT100S"})
    void idsGoOnWhenAStepLasts(int size, Duration step) throws Exception {
        start(size, LEASE);
        clocks.get(size - 1).setAhead(step);
        long seconds = Math.max(SteadyClock.CONFIRMATION_SECONDS, HEARTBEAT_TIMEOUT.toSeconds());
        long halfALease = LEASE.toSeconds() / 2;
        members.living().get(size - 1).awaitRenewals((int) (seconds / halfALease) + 2 * RENEWALS);
        requireThatIdsGoOn(RENEWALS, LEASE);
        members.stopAndCheck(List.of());
    }

    /**
     * No call may fail, so the lease must be long enough for a busy machine to renew it in time. With its default,
     * Hazelcast would at some time take a wrong read of its own for the silence of a member, and remove that member.
     */
    @Test
    void idsGoOnWhileEachHundredthReadIsWrong() throws Exception {
        Duration lease = Duration.ofSeconds(30);
        // Longer than a wrong read is ahead: 2^32 milliseconds.
        start(3, lease, "-Dhazelcast.max.no.heartbeat.seconds=9000000");
        clocks.forEach(clock -> clock.misreadEach(100));
        requireThatIdsGoOn(3, lease);
        clocks.forEach(clock -> clock.misreadEach(0));
        requireThatIdsGoOn(3, lease);
        members.living().forEach(WriterProcess::requireNoFailure);
        members.stopAndCheck(List.of());
    }
}
