// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.YamlClientConfigBuilder;
import com.hazelcast.config.Config;
import com.hazelcast.config.KubernetesConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.config.YamlConfigBuilder;
import com.hazelcast.config.properties.PropertyDefinition;
import com.hazelcast.kubernetes.HazelcastKubernetesDiscoveryStrategyFactory;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperty;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import com.noctarius.snowcast.status.ClusterStatus;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Tests that the files of ops/kubernetes are consistent, and contain only properties that Hazelcast, snowcast or Boot
 * knows.
 */
@Tag("integration")
class KubernetesManifestsTest {
    private static final Path REFERENCE = Path.of("../../docs/reference/configuration.md");
    private static final String SHUTDOWN_PHASE = "spring.lifecycle.timeout-per-shutdown-phase";
    private static final String MAX_WAIT = "hazelcast.graceful.shutdown.max.wait";
    /** The maximum time that a client needs to release its node IDs. */
    private static final Duration DETACH = Duration.ofSeconds(3);
    /** The environment variables that the JVM, Hazelcast's image and the server read. */
    private static final Set<String> OTHER_VARIABLES = Set.of("JAVA_TOOL_OPTIONS", "JAVA_OPTS", "SNOWCASTSERVER_TOKEN");

    private static final Object[] PRE_STOP = {"lifecycle", "preStop", "sleep", "seconds"};

    static Stream<Manifest> manifests() throws IOException {
        List<Manifest> manifests = new ArrayList<>();
        for (String name : List.of("embedded.yaml", "members.yaml", "clients.yaml", "sql.yaml", "server.yaml")) {
            manifests.add(Manifest.of(name));
        }
        return manifests.stream();
    }

    private static Manifest manifest(String column) throws IOException {
        return Manifest.of(column + ".yaml");
    }

    private static List<Map<?, ?>> list(Object node, Object... path) {
        return ((List<?>) Manifest.at(node, path))
                .stream().<Map<?, ?>>map(each -> (Map<?, ?>) each).toList();
    }

    private static List<String> names(Object node, Object... path) {
        return list(node, path).stream()
                .map(each -> Manifest.at(each, "name").toString())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void eachSelectorFindsThePods(Manifest manifest) {
        Map<?, ?> labels = Manifest.map(manifest.workload(), "spec", "template", "metadata", "labels");
        assertThat(labels).isNotEmpty();
        Map<?, ?> selector = Manifest.map(manifest.workload(), "spec", "selector", "matchLabels");
        assertThat(labels.entrySet().containsAll(selector.entrySet())).isTrue();
        assertThat(manifest.ofKind("Service"))
                .isNotEmpty()
                .allSatisfy(service ->
                        assertThat(Manifest.map(service, "spec", "selector")).isEqualTo(selector));
        assertThat(manifest.ofKind("PodDisruptionBudget"))
                .hasSize(1)
                .allSatisfy(budget -> assertThat(Manifest.map(budget, "spec", "selector", "matchLabels"))
                        .isEqualTo(selector));
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void eachNameThatIsReferredToIsThere(Manifest manifest) {
        List<String> ports = names(manifest.container(), "ports");
        assertThat(manifest.ofKind("Service"))
                .flatExtracting(service -> list(service, "spec", "ports"))
                .extracting(port -> Manifest.at((Map<?, ?>) port, "targetPort"))
                .isSubsetOf(ports);
        for (Object probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            if (manifest.container().get(probe) != null) {
                assertThat(Manifest.at(manifest.container(), probe, "httpGet", "port"))
                        .isIn(ports);
            }
        }
        assertThat(names(manifest.container(), "volumeMounts"))
                .isEqualTo(Stream.concat(names(manifest.pod(), "volumes").stream(), claims(manifest))
                        .toList());
        List<Object> configMaps = manifest.ofKind("ConfigMap")
                .<Object>map(each -> Manifest.at(each, "metadata", "name"))
                .toList();
        assertThat(list(manifest.pod(), "volumes").stream()
                        .filter(volume -> volume.containsKey("configMap"))
                        .map(volume -> Manifest.at(volume, "configMap", "name")))
                .isEqualTo(configMaps);
        assertThat(manifest.ofKind("ServiceAccount"))
                .extracting(account -> Manifest.at(account, "metadata", "name"))
                .isEqualTo(List.of(Manifest.at(manifest.pod(), "serviceAccountName")));
        if (Manifest.at(manifest.workload(), "kind").equals("StatefulSet")) {
            assertThat(Manifest.at(manifest.workload(), "spec", "serviceName")).isIn(headless(manifest));
        }
    }

    private static Stream<String> claims(Manifest manifest) {
        return Manifest.map(manifest.workload(), "spec").containsKey("volumeClaimTemplates")
                ? list(manifest.workload(), "spec", "volumeClaimTemplates").stream()
                        .map(claim -> Manifest.at(claim, "metadata", "name").toString())
                : Stream.empty();
    }

    /**
     * Checks the requirements of the pod security standard "restricted", and that the root file system is read-only.
     */
    @ParameterizedTest
    @MethodSource("manifests")
    void podsMayRunWhereTheRestrictedStandardHolds(Manifest manifest) {
        Map<?, ?> pod = Manifest.map(manifest.pod(), "securityContext");
        Map<?, ?> container = Manifest.map(manifest.container(), "securityContext");
        assertThat(Manifest.at(pod, "runAsNonRoot")).isEqualTo(true);
        assertThat(Manifest.number(pod, "runAsUser")).isPositive();
        assertThat(Manifest.at(pod, "seccompProfile", "type")).isEqualTo("RuntimeDefault");
        assertThat(Manifest.at(container, "allowPrivilegeEscalation")).isEqualTo(false);
        assertThat(Manifest.at(container, "capabilities", "drop")).isEqualTo(List.of("ALL"));
        assertThat(Manifest.at(container, "readOnlyRootFilesystem")).isEqualTo(true);
        assertThat(list(manifest.container(), "volumeMounts"))
                .extracting(mount -> Manifest.at(mount, "mountPath"))
                .contains("/tmp");
    }

    /** The network policy admits only members and clients at Hazelcast's port, and all sources at the other ports. */
    @ParameterizedTest
    @MethodSource("manifests")
    void thePolicyLetsMembersAndClientsInAtHazelcastsPortAndAllAtHttps(Manifest manifest) throws IOException {
        Map<?, ?> policy = manifest.ofKind("NetworkPolicy").findAny().orElseThrow();
        Map<?, ?> labels = Manifest.map(manifest.workload(), "spec", "template", "metadata", "labels");
        assertThat(labels.entrySet()
                        .containsAll(Manifest.map(policy, "spec", "podSelector", "matchLabels")
                                .entrySet()))
                .isTrue();
        List<Object> ports = new ArrayList<>();
        for (Map<?, ?> rule : list(policy, "spec", "ingress")) {
            Object port = Manifest.at(rule, "ports", 0, "port");
            ports.add(port);
            assertThat(rule.containsKey("from")).as(port.toString()).isEqualTo(port.equals("hazelcast"));
        }
        assertThat(ports).containsExactlyInAnyOrderElementsOf(names(manifest.container(), "ports"));
        if (manifest.files().containsKey("hazelcast-client.yaml")) {
            Map<?, ?> ofMembers =
                    manifest("members").ofKind("NetworkPolicy").findAny().orElseThrow();
            assertThat(list(ofMembers, "spec", "ingress", 0, "from"))
                    .anySatisfy(from -> assertThat(labels.entrySet()
                                    .containsAll(Manifest.map(from, "podSelector", "matchLabels")
                                            .entrySet()))
                            .isTrue());
        }
    }

    /** Clients may outlive all members, so new members need the high-water mark of the leases. */
    @Test
    void membersApartHaveFloorsThatOutliveThem() throws IOException {
        Manifest members = manifest("members");
        Config config = member(members);
        int replicas = Manifest.number(members.workload(), "spec", "replicas");
        assertThat(Integer.parseInt(config.getProperty("snowcast.high.water.mark.members")))
                .as("more than may have been away when the quorum was lost")
                .isGreaterThan(replicas - Integer.parseInt(config.getProperty("hazelcast.initial.min.cluster.size")));
        assertThat(list(members.container(), "volumeMounts").stream()
                        .filter(mount -> claims(members).toList().contains(Manifest.at(mount, "name")))
                        .map(mount -> Manifest.at(mount, "mountPath")))
                .containsExactly(config.getProperty("snowcast.high.water.mark.dir"));
    }

    @Test
    void theRulesOfTheOperatorAreThoseOfPrometheus() throws IOException {
        Map<?, ?> rule =
                Manifest.of("rules.yaml").ofKind("PrometheusRule").findAny().orElseThrow();
        Map<?, ?> file = Manifest.of(Path.of("../../ops/prometheus/snowcast.rules.yml"))
                .objects()
                .get(0);
        assertThat(Manifest.map(rule, "spec")).isEqualTo(file);
    }

    @ParameterizedTest
    @CsvSource({
        "embedded, 'shop'",
        "members-and-clients, 'hazelcast shop'",
        "server, 'hazelcast snowcast-server'",
        "sql, 'shop'"
    })
    void overlaysAreBuiltByKubectl(String overlay, String workloads, @TempDir Path directory) throws Exception {
        Path output = directory.resolve("objects.yaml");
        Process kubectl;
        try {
            kubectl = new ProcessBuilder(
                            "kubectl",
                            "kustomize",
                            Manifest.DIRECTORY
                                    .resolve("overlays")
                                    .resolve(overlay)
                                    .toString())
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            Assumptions.abort("kubectl is missing: " + e.getMessage());
            return;
        }
        assertThat(kubectl.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(kubectl.exitValue())
                .as(new String(kubectl.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isZero();
        Manifest objects = Manifest.of(output);
        assertThat(Stream.concat(objects.ofKind("StatefulSet"), objects.ofKind("Deployment"))
                        .map(each -> Manifest.at(each, "metadata", "name")))
                .containsExactlyInAnyOrderElementsOf(List.of(workloads.split(" ")));
    }

    /** Returns the names of the headless Services, which resolve to the addresses of all pods, ready or not. */
    private static List<Object> headless(Manifest manifest) {
        return manifest.ofKind("Service")
                .filter(service -> Manifest.map(service, "spec").get("clusterIP") != null)
                .peek(service -> {
                    assertThat(Manifest.at(service, "spec", "clusterIP")).isEqualTo("None");
                    assertThat(Manifest.at(service, "spec", "publishNotReadyAddresses"))
                            .isEqualTo(true);
                })
                .<Object>map(service -> Manifest.at(service, "metadata", "name"))
                .toList();
    }

    /** The rights that Hazelcast's documentation asks for, and no others. */
    @Test
    void membersMayReadWhatShowsTheirNeighboursAndTheirZone() throws IOException {
        Manifest rbac = Manifest.of("rbac.yaml");
        Map<?, ?> role = rbac.ofKind("ClusterRole").findAny().orElseThrow();
        Map<?, ?> binding = rbac.ofKind("ClusterRoleBinding").findAny().orElseThrow();
        List<String> verbs = List.of("get", "list");
        assertThat(Manifest.at(role, "rules"))
                .isEqualTo(List.of(
                        Map.of(
                                "apiGroups", List.of(""),
                                "resources", List.of("endpoints", "pods", "nodes", "services"),
                                "verbs", verbs),
                        Map.of(
                                "apiGroups", List.of("discovery.k8s.io"),
                                "resources", List.of("endpointslices"),
                                "verbs", verbs)));
        assertThat(Manifest.at(binding, "roleRef", "name")).isEqualTo(Manifest.at(role, "metadata", "name"));
        assertThat(Manifest.at(binding, "subjects", 0, "kind")).isEqualTo("ServiceAccount");
        assertThat(Manifest.at(binding, "subjects", 0, "name"))
                .isEqualTo(Manifest.at(manifest("members").pod(), "serviceAccountName"));
        // The members need the token of the service account that has these permissions.
        assertThat(Files.readString(Manifest.DIRECTORY.resolve("components/zones/kustomization.yaml")))
                .contains("automountServiceAccountToken: true");
    }

    // --- Hazelcast

    private static Config member(Manifest manifest) {
        return new YamlConfigBuilder(stream(manifest.file("hazelcast.yaml"))).build();
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Stream<Manifest> withMembers() throws IOException {
        return manifests().filter(manifest -> manifest.files().containsKey("hazelcast.yaml"));
    }

    @ParameterizedTest
    @MethodSource("withMembers")
    void hazelcastTakesTheConfigurationOfMembers(Manifest manifest) throws IOException {
        Config config = member(manifest);

        assertDiscovers(config.getNetworkConfig().getJoin().getKubernetesConfig(), headless(manifest));
        assertThat(config.getNetworkConfig().getPort())
                .isEqualTo(list(manifest.container(), "ports").stream()
                        .filter(port -> Manifest.at(port, "name").equals("hazelcast"))
                        .map(port -> Manifest.at(port, "containerPort"))
                        .findAny()
                        .orElseThrow());
        assertThat(config.getProperties().stringPropertyNames())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(hazelcastProperties()).contains(name));
    }

    @Test
    void hazelcastTakesTheConfigurationOfClients() throws IOException {
        assertClient(manifest("clients"));
        assertClient(manifest("server"));
    }

    private static void assertClient(Manifest clients) throws IOException {
        ClientConfig config = new YamlClientConfigBuilder(stream(clients.file("hazelcast-client.yaml"))).build();

        assertDiscovers(config.getNetworkConfig().getKubernetesConfig(), headless(manifest("members")));
        assertThat(config.getClusterName())
                .isEqualTo(member(manifest("members")).getClusterName());
    }

    private static void assertDiscovers(KubernetesConfig discovery, List<Object> services) {
        assertThat(discovery.isEnabled()).isTrue();
        assertThat(new HazelcastKubernetesDiscoveryStrategyFactory()
                        .getConfigurationProperties().stream().map(PropertyDefinition::key))
                .containsAll(discovery.getProperties().keySet());
        assertThat(services).contains(discovery.getProperty("service-dns"));
    }

    /** Returns the names of Hazelcast's own properties, and of snowcast's properties in the reference. */
    private static List<String> hazelcastProperties() throws IOException {
        List<String> names = new ArrayList<>();
        for (Field field : ClusterProperty.class.getFields()) {
            if (field.getType() == HazelcastProperty.class) {
                try {
                    names.add(((HazelcastProperty) field.get(null)).getName());
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }
        Matcher row = Pattern.compile("(?m)^\\| `(snowcast\\.[\\w.]+)` \\|").matcher(Files.readString(REFERENCE));
        while (row.find()) {
            names.add(row.group(1));
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("withMembers")
    void aMajorityIsNeededAndIsThereWhileTheBudgetIsUsed(Manifest manifest) {
        Config config = member(manifest);
        SplitBrainProtectionConfig protection = Objects.requireNonNull(config.getSplitBrainProtectionConfigs()
                .get(config.getProperty("snowcast.split.brain.protection.name")));
        int replicas = Manifest.number(manifest.workload(), "spec", "replicas");
        int budget = budget(manifest);

        assertThat(protection.getMinimumClusterSize())
                .isGreaterThan(replicas / 2)
                .isLessThanOrEqualTo(replicas - budget)
                .isEqualTo(Integer.parseInt(config.getProperty("hazelcast.initial.min.cluster.size")));
        assertThat(budget)
                .as("no more than the backups that there are by default")
                .isEqualTo(1);
        assertThat(Manifest.at(manifest.workload(), "spec", "podManagementPolicy"))
                .isEqualTo("Parallel");
    }

    private static int budget(Manifest manifest) {
        return Manifest.number(
                manifest.ofKind("PodDisruptionBudget").findAny().orElseThrow(), "spec", "maxUnavailable");
    }

    // --- Boot

    private static Stream<Manifest> withBoot() throws IOException {
        return manifests().filter(manifest -> manifest.files().containsKey("application.properties"));
    }

    @ParameterizedTest
    @MethodSource("withBoot")
    void bootKnowsEachPropertyAndVariable(Manifest manifest) throws IOException {
        Map<String, Map<?, ?>> known = bootProperties();
        List<String> names = new ArrayList<>(manifest.applicationProperties().stringPropertyNames());
        manifest.environment().keySet().stream()
                .filter(variable -> !OTHER_VARIABLES.contains(variable))
                .forEach(variable -> names.add(known.keySet().stream()
                        .filter(name -> variable.equals(
                                name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT)))
                        .findAny()
                        .orElse(variable)));
        assertThat(names).hasSizeGreaterThan(5).allSatisfy(name -> {
            String described = known.containsKey(name) ? name : mapOf(name, known);
            assertThat(known.containsKey(described)).as(name).isTrue();
            assertThat(Manifest.map(known, described).containsKey("deprecation"))
                    .as(name)
                    .isFalse();
        });
    }

    /**
     * Returns the name of the map property that contains the property with this name: for example {@code a} for
     * {@code a.b}, if {@code a} is a map. Returns the name itself if no map contains the property.
     */
    private static String mapOf(String name, Map<String, Map<?, ?>> known) {
        return known.keySet().stream()
                .filter(each -> name.startsWith(each + "."))
                .filter(each -> Manifest.at(known, each, "type").toString().startsWith("java.util.Map"))
                .findAny()
                .orElse(name);
    }

    private static Map<String, Map<?, ?>> bootProperties() throws IOException {
        Map<String, Map<?, ?>> known = new HashMap<>();
        for (String file :
                List.of("spring-configuration-metadata.json", "additional-spring-configuration-metadata.json")) {
            for (URL url : Collections.list(
                    KubernetesManifestsTest.class.getClassLoader().getResources("META-INF/" + file))) {
                for (Map<?, ?> property : list(parse(url), "properties")) {
                    known.put(Manifest.at(property, "name").toString(), property);
                }
            }
        }
        return known;
    }

    private static Map<String, Object> parse(URL url) throws IOException {
        try (InputStream json = url.openStream()) {
            return JsonParserFactory.getJsonParser().parseMap(new String(json.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @MethodSource("withBoot")
    void ourHealthBelongsToReadinessAndNeverToLiveness(Manifest manifest) throws IOException {
        String group = "management.endpoint.health.group.";
        assertThat(manifest.applicationProperties())
                .containsEntry(group + "readiness.include", "readinessState,snowcast")
                .containsEntry(group + "liveness.include", "livenessState");
        assertThat(Manifest.at(manifest.container(), "readinessProbe", "httpGet", "path"))
                .isEqualTo("/actuator/health/readiness");
        assertThat(Manifest.at(manifest.container(), "livenessProbe", "httpGet", "path"))
                .isEqualTo("/actuator/health/liveness");
    }

    /** Runs the application on a database that has the tables already, in place of the manifest's database. */
    @Test
    void anApplicationHasItsNodeIdFromADatabaseWithThePropertiesOfTheManifest() throws IOException {
        Properties properties = manifest("sql").applicationProperties();
        assertThat(manifest("sql").environment()).containsKey("SNOWCAST_JDBC_PROCESSNAME");
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:manifest;DB_CLOSE_DELAY=-1");
        try (JdbcSnowcast migration = JdbcSnowcast.of(database)) {
            migration.createTables();
        }
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowcastAutoConfiguration.class,
                        SnowcastJdbcAutoConfiguration.class,
                        SnowcastJdbcStoreAutoConfiguration.class))
                .withBean(DataSource.class, () -> database)
                .withPropertyValues(properties.stringPropertyNames().stream()
                        .map(name -> name + "=" + properties.getProperty(name))
                        .toArray(String[]::new))
                .withPropertyValues("snowcast.jdbc.process-name=shop-1")
                .run(context -> {
                    ClusterStatus.Sequencer orders = context.getBean(JdbcSnowcast.class)
                            .status()
                            .sequencers()
                            .get(0);
                    assertThat(orders.layout()).isEqualTo(SnowcastLayout.POSITIVE);
                    assertThat(orders.nodes())
                            .extracting(ClusterStatus.Node::holder)
                            .containsExactly("shop-1");
                });
    }

    // --- numbers

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void theGracePeriodIsLongEnoughForAllThatHasToHappen(Manifest manifest) throws IOException {
        Duration needed = Duration.ZERO;
        if (manifest.container().containsKey("lifecycle")) {
            needed = needed.plus(seconds(Manifest.number(manifest.container(), PRE_STOP)));
            needed = needed.plus(DurationStyle.detectAndParse(
                    manifest.applicationProperties().getProperty(SHUTDOWN_PHASE)));
        }
        needed = needed.plus(
                manifest.files().containsKey("hazelcast.yaml")
                        ? seconds(Integer.parseInt(member(manifest).getProperty(MAX_WAIT)))
                        : DETACH);
        assertThat(needed)
                .isGreaterThan(DETACH)
                .isLessThan(seconds(Manifest.number(manifest.pod(), "terminationGracePeriodSeconds")));
    }

    @ParameterizedTest
    @MethodSource("withBoot")
    void aPodIsNotKilledWhileItsStartWaitsForTheCluster(Manifest manifest) {
        int startupSeconds = Manifest.number(manifest.container(), "startupProbe", "periodSeconds")
                * Manifest.number(manifest.container(), "startupProbe", "failureThreshold");
        assertThat(seconds(startupSeconds)).isGreaterThan(StartRules.DEFAULT.timeout());
    }

    @Test
    void theImageOfTheServerAddsTheJar() throws IOException {
        assertThat(Files.readString(Manifest.DIRECTORY.resolve("server.Dockerfile")))
                .contains("\nCOPY snowcast-server-" + snowcastVersion() + ".jar /");
    }

    private static String snowcastVersion() throws IOException {
        Matcher version =
                Pattern.compile("<version>(.*?)</version>").matcher(Files.readString(Path.of("../../pom.xml")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    /** The image must have a version of Hazelcast that snowcast supports, and the jar on its class path. */
    @Test
    void theImageOfMembersAddsTheJar() throws IOException {
        String image = Files.readString(Manifest.DIRECTORY.resolve("Dockerfile"));
        assertThat(image)
                .containsPattern("(?m)^FROM hazelcast/hazelcast:5\\.[4-7]\\.\\d+$")
                .contains("\nADD snowcast-core-" + snowcastVersion() + ".jar ${HZ_HOME}/\n");
        Matcher version = Pattern.compile("hazelcast:([\\d.]+)").matcher(image);
        assertThat(version.find()).isTrue();
        assertThat(Manifest.at(manifest("members").container(), "image").toString())
                .endsWith(":" + version.group(1));
    }
}
