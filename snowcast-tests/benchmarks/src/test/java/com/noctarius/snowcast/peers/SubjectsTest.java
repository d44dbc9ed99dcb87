// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.peers.Subject.Need;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubjectsTest {
    private static Setup setup(Subject subject, Path directory) {
        return new Setup(
                List.of(subject.name()),
                "host-1",
                1,
                false,
                "",
                "127.0.0.1",
                List.of(),
                5701,
                Duration.ofSeconds(10),
                1_000,
                directory,
                directory.resolve("log"));
    }

    @Test
    void generatorsThatNeedNothingGiveIdsInOrder(@TempDir Path directory) throws Exception {
        for (Subject subject : Subjects.all()) {
            if (subject.needs() == Need.NOTHING) {
                Ids ids = subject.starter().start(setup(subject, directory));
                Set<Id> all = new HashSet<>();
                Id last = new Id(0, 0);
                for (int i = 0; i < 100; i++) {
                    Id next = ids.next();
                    assertThat(next).as(subject.name()).isGreaterThan(last);
                    all.add(next);
                    last = next;
                }
                assertThat(all).as(subject.name()).hasSize(100);
            }
        }
    }

    @Test
    void generatorsThatNeedTheSameRunInTheSameProcesses() {
        assertThat(Subjects.inGroups(Subjects.matching("agrona|snowcast.*|uuid-v7|lease-agrona|flake.*")))
                .extracting(group -> group.stream().map(Subject::name).toList())
                .containsExactlyInAnyOrder(
                        List.of("agrona", "uuid-v7"),
                        List.of("snowcast-sql", "lease-agrona"),
                        List.of("snowcast-cluster", "flake-id-generator"));
    }

    @Test
    void aProcessReadsWhatItsStarterWrote(@TempDir Path directory) {
        Setup alone = setup(Subjects.named("agrona"), directory);
        assertThat(Setup.of(alone.toArguments().toArray(String[]::new))).isEqualTo(alone);
        Setup several = new Setup(
                List.of("agrona", "uuid-v7"),
                "host-2",
                2,
                true,
                "jdbc:postgresql://localhost:5432/postgres",
                "10.0.0.2",
                List.of("10.0.0.1", "10.0.0.2"),
                5701,
                Duration.ofSeconds(30),
                100,
                directory,
                directory.resolve("log"));
        assertThat(Setup.of(several.toArguments().toArray(String[]::new))).isEqualTo(several);
        assertThat(several.logOf("agrona")).isNotEqualTo(several.logOf("uuid-v7"));
    }
}
