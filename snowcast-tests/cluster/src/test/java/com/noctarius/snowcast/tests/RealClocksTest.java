// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.noctarius.snowcast.SnowcastLayout;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Members as processes whose wall clock is set while they run, below the JVM: by libfaketime, Debian's package {@code
 * faketime}. Skipped where the library is missing. The monotonic clock stays as it is.
 */
@Tag("faults")
class RealClocksTest {
    private static final long LEASE_MILLIS = 3_000;
    private static final long SKEW_MILLIS = 1_500;

    /** At half of a lease each: for longer than the lease that a member has when its clock is set. */
    private static final int EXTENSIONS = 6;

    @TempDir
    private Path directory = Path.of("");

    private final List<Member> members = new ArrayList<>();
    private final String clusterName = TcpCluster.newClusterName();

    /** A process, and the file that sets its clock. */
    private record Member(Process process, Path output, Path clock, int port) {
        void setClock(String offset) throws IOException {
            Path next = clock.resolveSibling(clock.getFileName() + ".next");
            Files.writeString(next, offset);
            Files.move(next, clock, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }

        List<String> lines() {
            try {
                // The last line may not be whole yet.
                String text = Files.readString(output);
                return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        Stream<String[]> ids() {
            return lines().stream()
                    .filter(line -> line.startsWith(RealClockMain.ID))
                    .map(line -> line.split(" ", -1));
        }

        long extensions() {
            return ids().mapToLong(words -> Long.parseLong(words[2])).max().orElse(-1);
        }

        void awaitExtensions(int count) {
            long before = extensions();
            Await.until("extensions of " + output, () -> extensions() >= before + count || !process.isAlive());
            assertThat(lines()).noneMatch(line -> line.startsWith(RealClockMain.FAILED));
            assertThat(process.isAlive()).isTrue();
        }
    }

    private static Path library() {
        List<Path> found = List.of();
        try (Stream<Path> files =
                Files.find(Path.of("/usr/lib"), 4, (path, type) -> path.endsWith("faketime/libfaketime.so.1"))) {
            found = files.toList();
        } catch (IOException e) {
            assumeTrue(false, "cannot look for libfaketime: " + e);
        }
        assumeTrue(!found.isEmpty(), "libfaketime is missing: the package faketime has it");
        return found.get(0);
    }

    private Member start() throws IOException {
        int port = TcpCluster.freePort();
        Path clock = directory.resolve("clock-" + port);
        Path output = directory.resolve("member-" + port + ".txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dhazelcast.logging.type=none",
                "-Dhazelcast.phone.home.enabled=false",
                "-Dsnowcast.lease.millis=" + LEASE_MILLIS,
                "-Dsnowcast.max.clock.skew.millis=" + SKEW_MILLIS,
                "-cp",
                System.getProperty("java.class.path")));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of(RealClockMain.class.getName(), clusterName, Integer.toString(port)));
        members.forEach(member -> command.add(Integer.toString(member.port())));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment()
                .putAll(Map.of(
                        "LD_PRELOAD", library().toString(),
                        "FAKETIME_TIMESTAMP_FILE", clock.toString(),
                        "FAKETIME_CACHE_DURATION", "1",
                        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                        "DONT_FAKE_MONOTONIC", "1"));
        Files.writeString(clock, "+0s");
        Member member = new Member(builder.start(), output, clock, port);
        members.add(member);
        Await.until(
                "an ID of " + output,
                () -> member.extensions() >= 0 || !member.process().isAlive());
        return member;
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Member member : members) {
            member.process().destroyForcibly().waitFor();
        }
    }

    /** Of all members: no ID twice, and those of each in order. */
    private void check() {
        List<long[]> ids = members.stream()
                .map(member -> member.ids()
                        .mapToLong(words -> Long.parseLong(words[1]))
                        .toArray())
                .toList();
        ids.forEach(each -> IdCheck.requireOrdered(SnowcastLayout.DEFAULT, each));
        IdCheck.requireUnique(SnowcastLayout.DEFAULT, ids);
    }

    private static long aheadMillis(Member member) {
        long last = member.ids()
                .mapToLong(words -> Long.parseLong(words[1]))
                .reduce((former, latter) -> latter)
                .orElseThrow();
        return TestCluster.EPOCH.getEpochOffset()
                + SnowcastLayout.DEFAULT.timestampValue(last)
                - System.currentTimeMillis();
    }

    @ParameterizedTest
    @CsvSource({"1, 0, -60s", "1, 0, -1h", "1, 0, +2d", "3, 0, -120s", "3, 0, +2d", "3, 2, -2d"})
    void idsGoOnWhicheverClockIsSet(int size, int wrong, String offset) throws Exception {
        for (int i = 0; i < size; i++) {
            start();
        }
        members.forEach(member -> member.awaitExtensions(1));
        members.get(wrong).setClock(offset);
        members.forEach(member -> member.awaitExtensions(EXTENSIONS));
        members.forEach(member -> assertThat(aheadMillis(member)).isLessThan(LEASE_MILLIS + SKEW_MILLIS));
        members.get(wrong).setClock("+0s");
        members.forEach(member -> member.awaitExtensions(EXTENSIONS));
        members.forEach(member -> assertThat(aheadMillis(member)).isLessThan(LEASE_MILLIS + SKEW_MILLIS));
        check();
    }
}
