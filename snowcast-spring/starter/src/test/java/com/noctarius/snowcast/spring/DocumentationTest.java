// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.WindowAgent;
import com.noctarius.snowcast.tests.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.xml.XmlBeanDefinitionReader;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.io.ByteArrayResource;

/**
 * Tests that documented Java examples for Spring compile, and that applications with documented properties or XML beans
 * start.
 */
class DocumentationTest extends MemberOfTests {
    private static final Path ROOT = Path.of("../..");
    private static final Path SPRING = ROOT.resolve("docs/spring.md");
    private static final Pattern DECLARES_A_TYPE = Pattern.compile("(?m)^(@|class |interface |record |enum )");
    /** Examples that need Cassandra run in snowcast-tests/spring-cassandra, which starts its nodes. */
    private static final Pattern NEEDS_CASSANDRA = Pattern.compile("[Cc]assandra");

    private static final String IMPORTS = """
            import com.hazelcast.core.*;
            import com.noctarius.snowcast.*;
            import com.noctarius.snowcast.jdbc.*;
            import com.noctarius.snowcast.spring.*;
            import com.noctarius.snowcast.store.*;
            import com.zaxxer.hikari.HikariDataSource;
            import java.time.*;
            import java.util.*;
            import javax.sql.DataSource;
            import org.springframework.beans.factory.annotation.*;
            import org.springframework.context.annotation.*;
            import org.springframework.stereotype.*;
            """;
    private static final String BODY =
            "class Snippet { SnowcastSequencer orders; DataSource dataSource; void run() throws Exception { %s } }";

    record Snippet(Path document, String text) {
        @Override
        public String toString() {
            return document.getFileName() + ": " + text.lines().findFirst().orElse("");
        }
    }

    private static Stream<Snippet> snippets(String language) throws IOException {
        Stream.Builder<Snippet> found = Stream.builder();
        for (Path document : List.of(SPRING, ROOT.resolve("README.md"), ROOT.resolve("docs/getting-started.md"))) {
            Snippets.of(document, language).stream()
                    .filter(text -> !NEEDS_CASSANDRA.matcher(text).find())
                    .forEach(text -> found.add(new Snippet(document, text)));
        }
        return found.build();
    }

    static Stream<Snippet> propertiesSnippets() throws IOException {
        return snippets("properties");
    }

    static Stream<Snippet> dependencies() throws IOException {
        return snippets("xml").filter(snippet -> snippet.text().startsWith("<dependency>"));
    }

    static Stream<Snippet> projects() throws IOException {
        return snippets("xml").filter(snippet -> snippet.text().startsWith("<project"));
    }

    @Test
    void javaCompiles(@TempDir Path output) throws IOException {
        Snippets.compile(
                snippets("java")
                        .map(Snippet::text)
                        .map(DocumentationTest::source)
                        .toList(),
                output);
    }

    private static String source(String snippet) {
        String code = DECLARES_A_TYPE.matcher(snippet).find() ? snippet : BODY.formatted(snippet);
        return code.startsWith("package ") ? code : IMPORTS + code;
    }

    @ParameterizedTest
    @MethodSource("dependencies")
    void dependencyIsAModuleOfThePresentVersion(Snippet snippet) throws IOException {
        String version = first("<version>(.*?)</version>", Files.readString(ROOT.resolve("pom.xml")));
        assertThat(snippet.text()).contains("<version>" + version + "</version>");
        assertThat(artifactIds()).contains(first("<artifactId>(snowcast-.*?)</artifactId>", snippet.text()));
    }

    /** Only checks versions and dependencies; {@code .ci/release-check} builds and runs the project with SQL. */
    @ParameterizedTest
    @MethodSource("projects")
    void projectHasModulesOfThePresentVersionOnATestedBoot(Snippet snippet) throws IOException {
        String root = Files.readString(ROOT.resolve("pom.xml"));
        assertThat(snippet.text()).contains("<version>" + first("<spring-boot3.version>(.*?)</", root) + "</version>");
        assertThat(Files.readString(snippet.document()))
                .containsIgnoringWhitespaces(
                        "change the parent's version to " + first("<spring-boot4.version>(.*?)</", root) + ".");
        List<String> ours = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL)
                .matcher(snippet.text())
                .results()
                .map(dependency -> dependency.group(1))
                .filter(dependency -> dependency.contains("<groupId>com.noctarius.snowcast</groupId>"))
                .toList();
        assertThat(ours).isNotEmpty();
        for (String dependency : ours) {
            assertThat(artifactIds()).contains(first("<artifactId>(.*?)</", dependency));
            assertThat(dependency).contains("<version>" + first("<version>(.*?)</version>", root) + "</version>");
            assertThat(dependency.contains("<artifactId>hazelcast</artifactId>"))
                    .as("excludes Hazelcast")
                    .isEqualTo(snippet.text().contains("<artifactId>snowcast-jdbc</artifactId>"));
        }
    }

    private static String first(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(pattern).isTrue();
        return found.group(1);
    }

    private static List<String> artifactIds() throws IOException {
        List<String> artifactIds = new ArrayList<>();
        Matcher module = Pattern.compile("<module>(.*?)</module>").matcher(Files.readString(ROOT.resolve("pom.xml")));
        while (module.find()) {
            String pom = Files.readString(ROOT.resolve(module.group(1)).resolve("pom.xml"));
            artifactIds.add(first("</parent>\\s*<artifactId>(.*?)</artifactId>", pom));
        }
        return artifactIds;
    }

    /**
     * Boot's member has the split-brain protection of the document, which requires two members. This configuration
     * starts the second one.
     */
    @Configuration(proxyBeanMethods = false)
    static class OneOfTwo {
        private final String cluster = "documented-" + UUID.randomUUID();
        private final int boots = FreePort.get();
        private final int joining = FreePort.get();

        @Bean
        Config config() {
            return Members.oneOfTwo(cluster, boots, joining, "majority");
        }

        private @Nullable HazelcastInstance second;

        @EventListener
        void endOther(ContextClosedEvent event) {
            Objects.requireNonNull(second).shutdown();
        }

        @Bean
        static BeanPostProcessor other(ObjectProvider<OneOfTwo> configuration) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    if (bean instanceof HazelcastInstance) {
                        OneOfTwo two = configuration.getObject();
                        two.second = Hazelcast.newHazelcastInstance(
                                Members.oneOfTwo(two.cluster, two.joining, two.boots, "majority")
                                        .setProperty("snowcast.split.brain.protection.name", "majority"));
                    }
                    return bean;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneDatabase {
        @Bean
        DataSource dataSource() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            JdbcShards shards = JdbcShards.of(database);
            JdbcSchema schema = new JdbcSchema(shards);
            schema.create(100_000);
            schema.defineSequence("tickets", 1, Integer.MAX_VALUE);
            schema.defineSequence("products", 5_000_001, Integer.MAX_VALUE);
            schema.defineSequence("crm.customers", 1, Integer.MAX_VALUE);
            new WindowAgent(shards, 3).topUp();
            return database;
        }
    }

    /** The examples define sequencers of one name differently. */
    @AfterEach
    void destroySequencers() {
        snowcast.sequencers().forEach(snowcast::destroySequencer);
    }

    @ParameterizedTest
    @MethodSource("propertiesSnippets")
    void propertiesStartWhatTheyName(Snippet snippet) {
        boolean isOfCluster = snippet.text().contains("snowcast.cluster.");
        ApplicationContextRunner runner = Boot.runner()
                .withUserConfiguration(isOfCluster ? OneOfTwo.class : SharedMember.class)
                .withPropertyValues(snippet.text().split("\n"));
        if (snippet.text().contains("snowcast.store=jdbc")) {
            new ApplicationContextRunner()
                    .withUserConfiguration(OneDatabase.class)
                    .withConfiguration(
                            AutoConfigurations.of(SnowcastAutoConfiguration.class, SnowcastJdbcAutoConfiguration.class))
                    .withPropertyValues(snippet.text().split("\n"))
                    .run(context -> {
                        assertStarted(snippet, context);
                        assertThat(context).doesNotHaveBean(HazelcastInstance.class);
                    });
            return;
        }
        // The test creates the tables itself, because snowcast-jdbc tests the migrations in the documents.
        ApplicationContextRunner withDatabase = runner.withUserConfiguration(OneDatabase.class)
                .withPropertyValues("snowcast.store=hazelcast")
                .withConfiguration(AutoConfigurations.of(SnowcastJdbcStoreAutoConfiguration.class));
        withDatabase.run(context -> {
            assertStarted(snippet, context);
            if (snippet.text().contains("snowcast.sequences.tickets")) {
                assertThat(new JdbcBlockStore(context.getBean(JdbcShards.class))
                                .reserve("tickets", 1)
                                .first())
                        .as("they came from the database")
                        .isGreaterThan(1);
            }
        });
    }

    private static void assertStarted(Snippet snippet, ApplicationContext context) throws InterruptedException {
        long sequencers =
                snippet.text().lines().filter(line -> line.contains(".epoch=")).count();
        long sequences = Pattern.compile("snowcast\\.sequences\\.(\\w+)\\.")
                .matcher(snippet.text())
                .results()
                .map(match -> match.group(1))
                .distinct()
                .count();
        assertThat(sequencers + sequences).isPositive();
        assertThat(context.getBeansOfType(SnowcastSequencer.class)).hasSize((int) sequencers);
        assertThat(context.getBeansOfType(IntegerSequence.class)).hasSize((int) sequences);
        for (SnowcastSequencer sequencer :
                context.getBeansOfType(SnowcastSequencer.class).values()) {
            assertThat(sequencer.next()).isPositive();
        }
        for (IntegerSequence sequence :
                context.getBeansOfType(IntegerSequence.class).values()) {
            assertThat(sequence.nextInt()).isPositive();
        }
    }

    @Test
    void beansOfXmlStart() throws IOException, InterruptedException {
        String beans =
                Files.readString(ROOT.resolve("snowcast-spring/starter/src/test/resources/documented-beans.xml"));
        assertThat(snippets("xml").map(Snippet::text).filter(text -> text.contains("<snowcast:")))
                .singleElement()
                .satisfies(shown -> assertThat(beans).contains(shown));
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(PropertySourcesPlaceholderConfigurer.class);
        context.registerBean("dataSource", DataSource.class, new OneDatabase()::dataSource);
        new XmlBeanDefinitionReader(context)
                .loadBeanDefinitions(new ByteArrayResource(beans.getBytes(StandardCharsets.UTF_8)));
        try (context) {
            context.refresh();
            assertThat(context.getBean(SnowcastSequencer.class).getSequencerState())
                    .isEqualTo(SnowcastSequenceState.Attached);
            assertThat(context.getBean(IntegerSequence.class).nextInt()).isEqualTo(5_000_001);
        }
    }

    @Test
    void theReferenceHasTheDefaults() throws IOException {
        String document = Files.readString(ROOT.resolve("docs/reference/configuration.md"));
        for (ClusterSetting setting : ClusterSetting.values()) {
            assertThat(document)
                    .containsPattern(
                            "\\| `" + setting.property() + "` \\|[^|]*\\| `" + setting.hazelcastName() + "` \\|");
        }
        assertThat(document)
                .containsPattern("\\| `" + PropertyNames.ATTACH_TIMEOUT + "` \\|[^|]*\\| 2m \\|")
                .containsPattern("\\| `" + PropertyNames.START_DETACHED + "` \\|[^|]*\\| `false` \\|")
                .containsPattern("\\| `" + JdbcStoreProperties.PREFIX + ".table-name` \\|[^|]*\\| `id_sequences` \\|");
    }
}
