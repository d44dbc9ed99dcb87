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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
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

    @TempDir
    private Path directory = Path.of("");

    private final List<Member> members = new ArrayList<>();
    private final String clusterName = TcpCluster.newClusterName();

    private record Member(JavaProcess process, WallClock clock, int port) {
        Stream<String[]> ids() {
            String output = process.output();
            // The last line may be incomplete.
            return output.substring(0, output.lastIndexOf('\n') + 1)
                    .lines()
                    .filter(line -> line.startsWith(RealClockMain.ID))
                    .map(line -> line.split(" ", -1));
        }

        long[] values() {
            return ids().mapToLong(words -> Long.parseLong(words[1])).toArray();
        }

        long renewals() {
            return ids().mapToLong(words -> Long.parseLong(words[2])).max().orElse(-1);
        }

        void awaitRenewals(int count) {
            long before = renewals();
            Await.until("renewals", () -> renewals() >= before + count || !process.isAlive());
            assertThat(process.isAlive()).as(process.output()).isTrue();
        }

        /** Returns how far the time of the member's last ID is ahead of the test's own clock, which is right. */
        Duration ahead() {
            long[] values = values();
            long timeMillis = TestCluster.EPOCH.getEpochOffset()
                    + SnowcastLayout.DEFAULT.timestampValue(values[values.length - 1]);
            return Duration.ofMillis(timeMillis - System.currentTimeMillis());
        }
    }

    @BeforeAll
    static void compile() {
        Optional<Path> compiled = WallClock.compile(libraries);
        assumeTrue(compiled.isPresent(), "cc does not compile a library here: a C compiler has it");
        library = compiled.orElseThrow();
    }

    private Member start() throws IOException {
        int port = FreePort.get();
        WallClock clock = new WallClock(library, directory, "member-" + port);
        List<String> flags = List.of(
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dsnowcast.lease.millis=" + LEASE.toMillis(),
                "-Dsnowcast.max.clock.skew.millis=" + MAX_SKEW.toMillis());
        List<String> arguments = new ArrayList<>(List.of(clusterName, Integer.toString(port)));
        members.forEach(member -> arguments.add(Integer.toString(member.port())));
        JavaProcess process = JavaProcess.start(
                clock.wrapper(),
                directory.resolve("member-" + port + ".txt"),
                flags,
                System.getProperty("java.class.path"),
                RealClockMain.class,
                arguments);
        Member member = new Member(process, clock, port);
        members.add(member);
        Await.until("an ID", () -> member.renewals() >= 0 || !process.isAlive());
        return member;
    }

    @AfterEach
    void stop() {
        members.forEach(member -> member.process().close());
    }

    private void start(int size) throws IOException {
        for (int i = 0; i < size; i++) {
            start();
        }
        members.forEach(member -> member.awaitRenewals(1));
    }

    /**
     * Fails unless all members issue IDs for longer than a lease, and their last IDs are ahead of the right time by
     * less than lease + skew.
     */
    private void requireThatIdsGoOn() {
        members.forEach(member -> member.awaitRenewals(RENEWALS));
        members.forEach(member -> assertThat(member.ahead()).isLessThan(LEASE.plus(MAX_SKEW)));
    }

    /** Fails if there are duplicate IDs, or the IDs of a member do not increase. */
    private void check() {
        List<long[]> ids = members.stream().map(Member::values).toList();
        ids.forEach(each -> IdCheck.requireOrdered(SnowcastLayout.DEFAULT, each));
        IdCheck.requireUnique(SnowcastLayout.DEFAULT, ids);
    }

    @ParameterizedTest
    @CsvSource({"1, 0, -PT60S", "1, 0, P2D", "3, 0, -PT60S", "3, 0, -PT120S", "3, 0, P2D", "3, 2, -P2D"})
    void idsGoOnWhicheverClockIsSet(int size, int wrong, Duration step) throws Exception {
        start(size);
        members.get(wrong).clock().setAhead(step);
        requireThatIdsGoOn();
        members.get(wrong).clock().setAhead(Duration.ZERO);
        requireThatIdsGoOn();
        check();
    }

    /**
     * The clock stays an hour behind for longer than {@link SteadyClock} needs to confirm the step, and then runs at
     * half speed. Or it stays ahead for longer than Hazelcast's heartbeat time-out: the member must not remove the
     * others.
     */
    @ParameterizedTest
    @CsvSource({"1, -PT1H", "3, PT100S"})
    void idsGoOnWhenAStepLasts(int size, Duration step) throws Exception {
        start(size);
        Member wrong = members.get(size - 1);
        wrong.clock().setAhead(step);
        long seconds = Math.max(SteadyClock.CONFIRMATION_SECONDS, HEARTBEAT_TIMEOUT.toSeconds());
        long halfALease = LEASE.toSeconds() / 2;
        wrong.awaitRenewals((int) (seconds / halfALease) + 2 * RENEWALS);
        requireThatIdsGoOn();
        check();
    }

    @Test
    void idsGoOnWhileEachHundredthReadIsWrong() throws Exception {
        start(3);
        members.forEach(member -> member.clock().misreadEach(100));
        requireThatIdsGoOn();
        members.forEach(member -> member.clock().misreadEach(0));
        requireThatIdsGoOn();
        assertThat(members)
                .allSatisfy(member -> assertThat(member.process().output()).doesNotContain(RealClockMain.FAILED));
        check();
    }
}
