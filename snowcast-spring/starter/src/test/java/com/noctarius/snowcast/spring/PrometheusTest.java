// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.yaml.snakeyaml.Yaml;

/** Tests the alerts and the dashboard of {@code ops/} against the metrics of a complete application. */
@Tag("integration")
class PrometheusTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path PROMETHEUS = ROOT.resolve("ops/prometheus");
    private static final Path RULES = PROMETHEUS.resolve("snowcast.rules.yml");
    private static final Path DASHBOARD = ROOT.resolve("ops/grafana/snowcast.json");

    /** The prefix of Cassandra's metrics; {@code SpringBootTest} of spring-cassandra tests these metrics. */
    private static final String CASSANDRA = "snowcast_cassandra_";

    private static final Pattern METRIC = Pattern.compile("\\bsnowcast_[a-z_]+\\b(\\{[^}]*})?");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*=~?\\s*\"");
    private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\)");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((\\w+), (\\w+)\\)");

    @TempDir
    static Path directory;

    private static HazelcastInstance member;
    private static ConfigurableApplicationContext context;

    /** The application. It imports a JDBC store and its shards, so it also has a monitor of the shards. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(JdbcMetersTest.Stores.class)
    static class Application {
        @Bean(destroyMethod = "")
        HazelcastInstance hazelcast() {
            return member;
        }

        @Bean
        BlockStore memory() {
            return new MemoryBlockStore();
        }
    }

    @BeforeAll
    static void start() throws InterruptedException {
        Config config = Members.config();
        config.setProperty(
                "snowcast.high.water.mark.dir", directory.resolve("marks").toString());
        member = Hazelcast.newHazelcastInstance(config);
        SpringApplication application = new SpringApplication(Application.class);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                "management.endpoints.web.exposure.include", "prometheus",
                "snowcast.sequencers.orders.epoch", "2024-01-01T00:00:00Z",
                "snowcast.sequences.products.store-ref", "memory",
                "snowcast.node-leases.workers.max-nodes", "16"));
        context = application.run("--" + Boot.NO_DATABASES);
        work();
        Await.until(
                "the meters that come with the next look",
                () -> scrape().keySet()
                        .containsAll(List.of(
                                "snowcast_sequencer_nodes_capacity",
                                "snowcast_jdbc_shard_up",
                                "snowcast_jdbc_reservations_failing_seconds")));
    }

    private static void work() throws InterruptedException {
        context.getBean("orders", SnowcastSequencer.class).next(10_000);
        context.getBean("products", IntegerSequence.class).next(1_000);
        context.getBean("tickets", IntegerSequence.class).next(100);
    }

    private static void workOrFail() {
        try {
            work();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    @AfterAll
    static void close() {
        context.close();
        member.shutdown();
    }

    // --- metrics that alerts and dashboard use

    private static List<Map<String, Object>> rules() throws IOException {
        Map<String, Object> file = new Yaml().load(Files.readString(RULES));
        return list(file, "groups").stream()
                .flatMap(group -> list(group, "rules").stream())
                .toList();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> from, String key) {
        return (List<Map<String, Object>>) from.getOrDefault(key, List.of());
    }

    private static Map<String, Object> dashboard() throws IOException {
        return JsonParserFactory.getJsonParser().parseMap(Files.readString(DASHBOARD));
    }

    /** Returns the queries of the panels. Replaces the variables as Grafana does if all values are selected. */
    private static List<String> panelQueries() throws IOException {
        return list(dashboard(), "panels").stream()
                .flatMap(panel -> list(panel, "targets").stream())
                .map(target -> String.valueOf(target.get("expr"))
                        .replaceAll("\\$(instance|sequencer|sequence)\\b", ".*")
                        .replace("$__rate_interval", "4s"))
                .toList();
    }

    private static List<String> queries() throws IOException {
        return Stream.concat(rules().stream().map(rule -> String.valueOf(rule.get("expr"))), panelQueries().stream())
                .toList();
    }

    // --- metrics that the application has

    private static String get(String url) {
        try {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(url)).build(),
                            HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            // Prometheus answers with status 503 while it starts.
            assertThat(response.statusCode()).as(response.body()).isIn(200, 503);
            return response.body();
        } catch (IOException e) {
            return e.toString(); // Prometheus does not listen yet.
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static String port() {
        return context.getEnvironment().getRequiredProperty("local.server.port");
    }

    /** Returns the labels of each metric, with the names of the metrics as keys. */
    private static Map<String, Set<String>> scrape() {
        Map<String, Set<String>> labels = new HashMap<>();
        Pattern sample = Pattern.compile("^(snowcast_\\w+)(\\{.*})? \\S+$", Pattern.MULTILINE);
        Matcher lines = sample.matcher(get("http://127.0.0.1:" + port() + "/actuator/prometheus"));
        while (lines.find()) {
            labels.computeIfAbsent(lines.group(1), unused -> new TreeSet<>()).addAll(labelsOf(lines.group(2)));
        }
        return labels;
    }

    private static List<String> labelsOf(@Nullable String selector) {
        return selector == null
                ? List.of()
                : LABEL.matcher(selector).results().map(match -> match.group(1)).toList();
    }

    @Test
    void everyMetricAndLabelOfAlertsAndDashboardIsThere() throws IOException {
        Map<String, Set<String>> scraped = scrape();
        assertThat(queries()).hasSizeGreaterThan(40);
        for (String query : queries()) {
            Set<String> labels = new TreeSet<>(Set.of("instance"));
            List<MatchResult> metrics = METRIC.matcher(query).results().toList();
            assertThat(metrics).as(query).isNotEmpty();
            for (MatchResult metric : metrics) {
                String name = metric.group().replaceFirst("\\{.*", "");
                if (name.startsWith(CASSANDRA)) {
                    labels.addAll(Set.of("store", "sequence", "datacenter"));
                    continue;
                }
                assertThat(scraped).as(query).containsKey(name);
                labels.addAll(scraped.getOrDefault(name, Set.of()));
                assertThat(labels).as(query).containsAll(labelsOf(metric.group(1)));
            }
            BY.matcher(query)
                    .results()
                    .forEach(by ->
                            assertThat(labels).as(query).contains(by.group(1).split(", ")));
        }
        Map<String, Object> templating = asMap(dashboard(), "templating");
        List<MatchResult> variables = list(templating, "list").stream()
                .flatMap(variable -> LABEL_VALUES
                        .matcher(String.valueOf(variable.get("definition")))
                        .results())
                .toList();
        assertThat(variables).hasSize(3);
        for (MatchResult variable : variables) {
            assertThat(scraped).containsKey(variable.group(1));
            assertThat(scraped.getOrDefault(variable.group(1), Set.of()).contains(variable.group(2))
                            || variable.group(2).equals("instance"))
                    .as(variable.group())
                    .isTrue();
        }
    }

    @Test
    void theReferenceHasEveryName() throws IOException {
        Set<String> named = Pattern.compile("`(snowcast_\\w+)`")
                .matcher(Files.readString(ROOT.resolve("docs/reference/metrics.md")))
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(new TreeSet<>(scrape().keySet())).isEqualTo(named);
    }

    /** The descriptions must also be right if node IDs come from a database. */
    @Test
    void noDescriptionSpeaksOfTheClusterWhereThereMayBeNone() {
        assertThat(get("http://127.0.0.1:" + port() + "/actuator/prometheus").lines())
                .filteredOn(line -> line.startsWith("# HELP snowcast_"))
                .isNotEmpty()
                .noneMatch(line -> line.contains("cluster"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMap(Map<String, Object> from, String key) {
        return (Map<String, Object>) from.getOrDefault(key, Map.of());
    }

    @Test
    void everyAlertHasATestAndARunbook() throws IOException {
        String tests = Files.readString(PROMETHEUS.resolve("snowcast.rules.test.yml"));
        String runbook = Files.readString(ROOT.resolve("docs/operate/runbook.md"));
        for (Map<String, Object> rule : rules()) {
            String alert = String.valueOf(rule.get("alert"));
            assertThat(tests).contains("alertname: " + alert + "\n");
            assertThat(asMap(rule, "annotations"))
                    .containsEntry("runbook", "docs/operate/runbook.md#" + alert.toLowerCase(Locale.ROOT));
            assertThat(runbook).contains("\n## " + alert + "\n");
        }
    }

    // --- with Prometheus

    private static void assumeThere(String program) {
        boolean isThere = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        String reason = program + " is not on the PATH (Debian has it in the package prometheus): not tested with it";
        if (!isThere) {
            System.out.println("PrometheusTest skipped: " + reason);
        }
        assumeTrue(isThere, reason);
    }

    private static String run(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    void promtoolAcceptsTheAlertsAndTheirTestsPass() throws IOException, InterruptedException {
        assumeThere("promtool");
        assertThat(run(PROMETHEUS, "promtool", "check", "rules", "snowcast.rules.yml"))
                .contains("SUCCESS: " + rules().size() + " rules found");
        assertThat(run(PROMETHEUS, "promtool", "test", "rules", "snowcast.rules.test.yml"))
                .contains("SUCCESS");
    }

    /**
     * Prometheus must evaluate each alert without an error. Each query of the dashboard, except for those of Cassandra,
     * must return a result, because the application has the metrics that the query uses.
     */
    @Test
    @Tag("faults")
    void prometheusEvaluatesEveryAlertAndEveryQueryOfTheDashboard() throws IOException, InterruptedException {
        assumeThere("prometheus");
        String address = "127.0.0.1:" + FreePort.get();
        Path configuration = Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ['%s']
                scrape_configs:
                  - job_name: application
                    metrics_path: /actuator/prometheus
                    static_configs: [{targets: ['127.0.0.1:%s']}]
                """.formatted(
                        RULES.toAbsolutePath().normalize(), port()));
        Process prometheus = new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + directory.resolve("prometheus-data"),
                        "--web.listen-address=" + address)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start();
        try {
            int rules = rules().size();
            String api = "http://" + address + "/api/v1/";
            Await.until(
                    "all rules were evaluated",
                    () -> rulesIn(get(api + "rules")).size() == rules
                            && !get(api + "rules").contains("\"health\":\"unknown\""));
            assertThat(get(api + "rules")).doesNotContain("\"health\":\"err\"");
            List<String> waiting = new ArrayList<>(panelQueries());
            waiting.removeIf(query -> query.contains(CASSANDRA));
            Await.until("every query of the dashboard finds something", () -> {
                workOrFail();
                waiting.removeIf(query -> !get(api + "query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                        .contains("\"result\":[]"));
                return waiting.isEmpty();
            });
            assertThat(firing(get(api + "alerts"))).isEmpty();
        } finally {
            prometheus.destroyForcibly();
            assertThat(prometheus.waitFor(3, TimeUnit.MINUTES)).isTrue();
        }
    }

    private static List<String> rulesIn(String json) {
        return Pattern.compile("\"type\":\"alerting\"")
                .matcher(json)
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private static List<String> firing(String json) {
        return Pattern.compile("\"alertname\":\"(\\w+)\"[^}]*}[^}]*}[^}]*\"state\":\"firing\"")
                .matcher(json)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
