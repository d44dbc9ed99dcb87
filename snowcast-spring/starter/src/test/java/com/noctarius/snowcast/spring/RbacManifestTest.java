// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.PartitionGroupConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that rbac.yaml grants the permissions by which members find each other and their zones, and no others. */
@Tag("integration")
class RbacManifestTest {
    private static final String SECRET = "changeit";

    private static final Pattern REQUEST =
            Pattern.compile("/(?:api/v1|apis/([\\w.]+)/v1)(?:/namespaces/\\w+)?/(\\w+)(/[^/]+)?");

    @TempDir
    private Path directory = Path.of("");

    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final List<HazelcastInstance> members = new ArrayList<>();
    /** The Hazelcast ports of the members. Each member stands for a pod. */
    private final List<Integer> ports = new CopyOnWriteArrayList<>();

    private final String clusterName = "rbac-" + UUID.randomUUID();
    private List<Map<?, ?>> rules = List.of();

    @BeforeEach
    void readRules() throws IOException {
        Map<?, ?> role =
                Manifest.of("rbac.yaml").ofKind("ClusterRole").findAny().orElseThrow();
        rules = ((List<?>) Manifest.at(role, "rules"))
                .stream().<Map<?, ?>>map(rule -> (Map<?, ?>) rule).toList();
    }

    @AfterEach
    void stop() {
        members.forEach(member -> member.getLifecycleService().terminate());
    }

    @Test
    void theRightsAreEnoughToFindMembersAndTheirZoneAndNoneIsSuperfluous() throws Exception {
        HttpsServer api = startApi();
        try {
            startPods(2, api);
        } finally {
            api.stop(0);
        }

        assertThat(members).allSatisfy(member -> {
            assertThat(member.getCluster().getMembers()).hasSize(2);
            assertThat(member.getCluster().getLocalMember().getAttribute("hazelcast.partition.group.zone"))
                    .isEqualTo("zone-a");
        });
        Set<String> granted = rules.stream()
                .flatMap(rule ->
                        ((List<?>) Manifest.at(rule, "resources")).stream().map(Object::toString))
                .collect(Collectors.toSet());
        // Members read endpoints if Kubernetes has no endpoint slices, and services if each member has its own Service.
        assertThat(granted).containsAll(asked).isSubsetOf("endpointslices", "pods", "nodes", "endpoints", "services");
        assertThat(asked).containsExactlyInAnyOrder("endpointslices", "pods", "nodes");
    }

    /** Starts more members, and waits until all members list each other. */
    private void startPods(int count, HttpsServer api) throws IOException, InterruptedException {
        String certificate = Files.readString(directory.resolve("certificate.pem"));
        int all = ports.size() + count;
        while (ports.size() < all) {
            int port = DeskProcess.freePort();
            ports.add(port);
            members.add(Hazelcast.newHazelcastInstance(
                    config(clusterName, port, api.getAddress().getPort(), certificate)));
        }
        Await.until(
                "all members list each other",
                () -> members.stream()
                        .allMatch(member -> member.getCluster().getMembers().size() == all
                                && member.getPartitionService().isLocalMemberSafe()));
    }

    @Test
    void theBindingGivesTheRoleToTheAccount() throws IOException {
        Manifest rbac = Manifest.of("rbac.yaml");
        Map<?, ?> binding = rbac.ofKind("ClusterRoleBinding").findAny().orElseThrow();
        Map<?, ?> subject = Manifest.map(binding, "subjects", 0);
        Manifest members = Manifest.of("members.yaml");
        assertThat(Manifest.at(binding, "roleRef", "name"))
                .isEqualTo(Manifest.at(rbac.ofKind("ClusterRole").findAny().orElseThrow(), "metadata", "name"));
        assertThat(Manifest.at(subject, "kind")).isEqualTo("ServiceAccount");
        assertThat(Manifest.at(subject, "name")).isEqualTo(Manifest.at(members.pod(), "serviceAccountName"));
        // The members need the token of the service account that has these permissions.
        assertThat(Files.readString(Manifest.DIRECTORY.resolve("components/zones/kustomization.yaml")))
                .contains("automountServiceAccountToken: true");
    }

    private static Config config(String clusterName, int port, int apiPort, String certificate) {
        Config config = new Config().setClusterName(clusterName);
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.getJetConfig().setEnabled(false);
        config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        config.getPartitionGroupConfig().setEnabled(true).setGroupType(PartitionGroupConfig.MemberGroupType.ZONE_AWARE);
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getMulticastConfig().setEnabled(false);
        join.getKubernetesConfig()
                .setEnabled(true)
                .setProperty("service-name", "hazelcast")
                .setProperty("namespace", "default")
                .setProperty("expose-externally", "false")
                .setProperty("kubernetes-master", "https://127.0.0.1:" + apiPort)
                .setProperty("api-token", SECRET)
                .setProperty("ca-certificate", certificate);
        return config;
    }

    private HttpsServer startApi() throws Exception {
        Path store = directory.resolve("keys.p12");
        keytool("-genkeypair", "-keyalg", "RSA", "-dname", "CN=api", "-ext", "san=ip:127.0.0.1");
        keytool(
                "-exportcert",
                "-rfc",
                "-file",
                directory.resolve("certificate.pem").toString());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, SECRET.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, SECRET.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer api = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.setHttpsConfigurator(new HttpsConfigurator(context));
        api.createContext("/", this::answer);
        api.start();
        return api;
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "api", "-storepass", SECRET, "-keystore"));
        command.add(directory.resolve("keys.p12").toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.txt").toFile())
                .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(directory.resolve("keytool.txt")))
                .isZero();
    }

    private void answer(HttpExchange exchange) throws IOException {
        Matcher request = REQUEST.matcher(exchange.getRequestURI().getPath());
        boolean isAllowed =
                ("Bearer " + SECRET).equals(exchange.getRequestHeaders().getFirst("Authorization"))
                        && request.matches()
                        && isAllowed(request);
        byte[] body = (isAllowed ? content(request.group(2)) : "{}").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(isAllowed ? 200 : 403, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private boolean isAllowed(Matcher request) {
        String group = request.group(1) == null ? "" : request.group(1);
        String verb = request.group(3) == null ? "list" : "get";
        asked.add(request.group(2));
        return rules.stream()
                .anyMatch(rule -> ((List<?>) Manifest.at(rule, "apiGroups")).contains(group)
                        && ((List<?>) Manifest.at(rule, "resources")).contains(request.group(2))
                        && ((List<?>) Manifest.at(rule, "verbs")).contains(verb));
    }

    private String content(String resource) {
        return switch (resource) {
            case "endpointslices" ->
                ports.stream().map(RbacManifestTest::slice).collect(Collectors.joining(",", "{\"items\":[", "]}"));
            case "pods" -> "{\"spec\":{\"nodeName\":\"machine-a\"}}";
            case "nodes" -> "{\"metadata\":{\"labels\":{\"topology.kubernetes.io/zone\":\"zone-a\"}}}";
            default -> "{}";
        };
    }

    private static String slice(int port) {
        return """
                {"metadata":{},"ports":[{"port":%d}],"endpoints":[
                 {"addresses":["127.0.0.1"],"conditions":{"ready":false},
                  "targetRef":{"name":"hazelcast-0"},"nodeName":"machine-a"}]}
                """.formatted(port);
    }
}
