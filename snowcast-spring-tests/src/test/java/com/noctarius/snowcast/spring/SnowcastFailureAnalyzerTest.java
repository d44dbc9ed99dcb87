// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What Boot tells when an application does not start, from a real start with a real file. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SnowcastFailureAnalyzerTest {
    private static final String EPOCH = "2024-01-01T00:00:00Z";
    private static HazelcastInstance member;
    private static HazelcastInstance client;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        member = Members.start();
        client = Members.startClient(member);
        Snowcast elsewhere = SnowcastSystem.snowcast(client);
        SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse(EPOCH));
        elsewhere.createSequencer("taken", epoch, 256);
        elsewhere.createSequencer(SequencerConfig.builder("tiny")
                .epoch(epoch)
                .layout(new SnowcastLayout(41, 1, 10))
                .build());
        HazelcastInstance another = Members.startClient(member);
        SnowcastSystem.snowcast(another)
                .createSequencer(SequencerConfig.builder("tiny")
                        .epoch(epoch)
                        .layout(new SnowcastLayout(41, 1, 10))
                        .build());
    }

    @AfterAll
    static void shutDown() {
        HazelcastClient.shutdownAll();
        member.shutdown();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(SnowcastAutoConfiguration.class)
    static class Application {
        @Bean(destroyMethod = "")
        HazelcastInstance hazelcast() {
            return member;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Names {
        @Bean
        StringBuilder names() {
            return new StringBuilder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondMember {
        @Bean(destroyMethod = "")
        HazelcastInstance second() {
            return client;
        }
    }

    private FailureAnalysis failure(List<String> lines, Class<?>... more) throws IOException {
        Path file = Files.write(directory.resolve("application.properties"), lines);
        Class<?>[] sources = Arrays.copyOf(more, more.length + 1);
        sources[more.length] = Application.class;
        SpringApplication application = new SpringApplication(sources);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        assertThatThrownBy(() -> application.run("--spring.config.location=" + file.toUri()))
                .isNotNull();
        return Objects.requireNonNull(RecordingReporter.take(), "nothing was analyzed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock = """
            epoch=yesterday            | epoch             | must be an instant that is not in the future, such as 2024-01-01T00:00:00Z: yesterday
            epoch=2999-01-01T00:00:00Z | epoch             | must be an instant that is not in the future, such as 2024-01-01T00:00:00Z: 2999-01-01T00:00:00Z
            layout=wide                | layout            | must be default, positive, javascript, or the bits of time, logical node and counter, such as 41/13/10: wide
            layout=41/14/9             | layout            | such as 41/13/10: 41/14/9 (logicalNodeBits must be 1 to 13: 14)
            max-logical-nodes=100      | max-logical-nodes | must be a number from 128 to 8192: 100
            max-logical-nodes=many     | max-logical-nodes | must be a number from 128 to 8192: many
            counter-start=one          | counter-start     | must be random or zero: one
            ordering=none              | ordering          | must be strict or relaxed: none
            lease=31d                  | lease             | must be a duration from 1s to 30d, such as 5m: PT744H
            lease=soon                 | lease             | must be a duration from 1s to 30d, such as 5m: soon
            lease=1h                   | lease             | cannot be used: sequencer orders: lease must be at most the cluster's snowcast.lease.millis=300000: 3600000
            backup-count=7             | backup-count      | must be a number from 0 to 6: 7
            """)
    void wrongPropertyIsToldWithItsPlaceAndWhatIsAllowed(String line, String setting, String reason)
            throws IOException {
        String epoch = line.startsWith("epoch") ? "#" : "snowcast.sequencers.orders.epoch=" + EPOCH;
        String property = "snowcast.sequencers.orders." + setting;
        FailureAnalysis failure = failure(List.of(epoch, "snowcast.sequencers.orders." + line));
        assertThat(failure.getDescription())
                .startsWith("The property " + property + " is wrong:")
                .contains("Value: " + line.substring(line.indexOf('=') + 1))
                .contains("application.properties] - 2:" + (property.length() + 2))
                .contains("Reason: " + property + " ")
                .contains(reason);
        assertThat(failure.getAction()).containsAnyOf("Set it to ", "Shorten it");
    }

    @Test
    void missingEpochIsTold() throws IOException {
        FailureAnalysis failure = failure(List.of("snowcast.sequencers.orders.lease=1m"));
        assertThat(failure.getDescription())
                .isEqualTo("The property snowcast.sequencers.orders.epoch is wrong:\n\n    Reason:"
                        + " snowcast.sequencers.orders.epoch is missing; must be an instant that is not in the future, such as"
                        + " 2024-01-01T00:00:00Z");
        assertThat(failure.getAction())
                .isEqualTo("Set it to an instant that is not in the future, such as 2024-01-01T00:00:00Z. A key with"
                        + " dots is written in brackets: snowcast.sequencers[my.orders].epoch");
    }

    @Test
    void propertyOfAKeyInBracketsIsFound() throws IOException {
        FailureAnalysis failure = failure(List.of(
                "snowcast.sequencers[my.Orders].epoch=" + EPOCH, "snowcast.sequencers[my.Orders].maxLogicalNodes=12"));
        assertThat(failure.getDescription())
                .contains("The property snowcast.sequencers[my.Orders].max-logical-nodes is wrong")
                .contains("Value: 12\n")
                .contains("application.properties] - 2:");
    }

    @Test
    void layoutAndMaxLogicalNodesExcludeEachOther() throws IOException {
        FailureAnalysis failure = failure(List.of(
                "snowcast.sequencers.orders.epoch=" + EPOCH,
                "snowcast.sequencers.orders.layout=positive",
                "snowcast.sequencers.orders.max-logical-nodes=128"));
        assertThat(failure.getDescription())
                .contains("snowcast.sequencers.orders.max-logical-nodes must not be set together with layout (positive):"
                        + " 128");
    }

    @Test
    void commonLeaseIsToldAsSuch() throws IOException {
        assertThat(failure(List.of("snowcast.sequencers.orders.epoch=" + EPOCH, "snowcast.lease=10ms"))
                        .getDescription())
                .startsWith("The property snowcast.lease is wrong:")
                .contains("Value: 10ms")
                .contains("must be a duration from 1s to 30d");
        FailureAnalysis tooLong = failure(List.of("snowcast.sequencers.orders.epoch=" + EPOCH, "snowcast.lease=6m"));
        assertThat(tooLong.getDescription())
                .startsWith("The property snowcast.lease is wrong:")
                .contains("lease must be at most the cluster's snowcast.lease.millis=300000: 360000");
        assertThat(tooLong.getAction())
                .isEqualTo("Shorten it, or raise the Hazelcast property snowcast.lease.millis on all members");
    }

    @Test
    void unknownPropertyIsTold() throws IOException {
        FailureAnalysis failure = failure(List.of(
                "snowcast.sequencers.orders.epoch=" + EPOCH, "snowcast.sequencers.orders.max-nodes=128"));
        assertThat(failure.getDescription())
                .contains("The property snowcast.sequencers.orders.max-nodes is wrong")
                .contains("application.properties] - 2:")
                .contains("is none of the properties of a sequencer: name, epoch, layout, max-logical-nodes,"
                        + " counter-start, ordering, lease, backup-count");
    }

    @Test
    void anotherDefinitionInTheClusterIsTold() throws IOException {
        FailureAnalysis failure = failure(List.of("snowcast.sequencers.taken.epoch=" + EPOCH));
        assertThat(failure.getDescription())
                .startsWith("The property snowcast.sequencers.taken is wrong:")
                .contains("sequencer taken is registered with another definition");
        assertThat(failure.getAction())
                .isEqualTo("Give it the epoch, layout and backup count that it has in the cluster, or another name");
    }

    @Test
    void exhaustedLogicalNodesAreTold() throws IOException {
        FailureAnalysis failure = failure(
                List.of("snowcast.sequencers.tiny.epoch=" + EPOCH, "snowcast.sequencers.tiny.layout=41/1/10"));
        assertThat(failure.getDescription())
                .contains("sequencer tiny: all 2 logical node IDs are in use: 2 attached, 0 cooling");
        assertThat(failure.getAction()).startsWith("Stop an instance of it, wait until a logical node is free");
    }

    @Test
    void oneNameForTwoSequencersIsTold() throws IOException {
        FailureAnalysis failure = failure(List.of(
                "snowcast.sequencers.a.epoch=" + EPOCH,
                "snowcast.sequencers.a.name=same",
                "snowcast.sequencers.b.epoch=" + EPOCH,
                "snowcast.sequencers.b.name=same"));
        assertThat(failure.getDescription())
                .startsWith("The property snowcast.sequencers.a.name is wrong:")
                .contains("snowcast.sequencers.b is also named same");
    }

    @Test
    void beanOfAnotherTypeUnderTheNameIsTold() throws IOException {
        FailureAnalysis failure = failure(List.of("snowcast.sequencers.names.epoch=" + EPOCH), Names.class);
        assertThat(failure.getDescription())
                .startsWith("The property snowcast.sequencers.names is wrong:")
                .contains("there is a bean of that name and of another type: java.lang.StringBuilder");
        assertThat(failure.getAction()).contains("Give the sequencer another key");
    }

    @Test
    void wrongBackupCountIsTold() throws IOException {
        assertThat(failure(List.of("snowcast.backup-count=9")).getDescription())
                .startsWith("The property snowcast.backup-count is wrong:")
                .contains("Value: 9")
                .contains("backupCount must be 0 to 6: 9");
        assertThat(failure(List.of("snowcast.backup-count=few")).getDescription())
                .startsWith("The property snowcast.backup-count is wrong:")
                .contains("must be a number from 0 to 6: few");
    }

    @Test
    void instanceThatCannotBeChosenIsTold() throws IOException {
        FailureAnalysis several = failure(List.of(), SecondMember.class);
        assertThat(several.getDescription())
                .startsWith("The property snowcast.hazelcast-instance-ref is wrong:")
                .contains("several HazelcastInstance beans and none is primary: second, hazelcast");
        assertThat(several.getAction()).isEqualTo("Set it to the name of one, or make one @Primary");
        FailureAnalysis unknown = failure(List.of("snowcast.hazelcast-instance-ref=third"), SecondMember.class);
        assertThat(unknown.getDescription())
                .contains("Value: third")
                .contains("must be the name of a HazelcastInstance bean (second, hazelcast): third");
        FailureAnalysis noInstance = failure(List.of("snowcast.hazelcast-instance-ref=names"), Names.class);
        assertThat(noInstance.getDescription()).contains("must be the name of a HazelcastInstance bean (hazelcast): names");
    }
}
