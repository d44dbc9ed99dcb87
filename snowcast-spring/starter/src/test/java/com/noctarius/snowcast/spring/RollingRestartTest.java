// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.hazelcast.core.server.HazelcastMemberStarter;
import com.noctarius.snowcast.tests.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootVersion;

/**
 * Tests rolling updates, and pods that wait for other pods, with the manifests of ops/kubernetes. Processes take the
 * place of pods. In a rolling update, the pods start at the same time, and are replaced one after the other while users
 * request IDs. As Kubernetes does, the test waits until pods are ready, and ends them with SIGTERM.
 */
@Tag("faults")
@EnabledOnOs(OS.LINUX)
class RollingRestartTest {
    /** The exit code of a process that ended because of SIGTERM, after its shutdown hooks. */
    private static final int TERMINATED = 143;

    private static final int IDS_BETWEEN = 200;

    @TempDir
    private Path directory = Path.of("");

    private Duration slowestStop = Duration.ZERO;
    private Duration slowestStart = Duration.ZERO;
    private int replaced;

    /**
     * Returns a flag that limits the node IDs. If there are only as many node IDs as pods, a new pod needs the node ID
     * that its predecessor has released.
     */
    private static List<String> nodeIds(int count) {
        return List.of("-Dsnowcast.node.id.range=0-" + (count - 1));
    }

    @Test
    void podsThatAreMembersAreReplacedAndNobodyNotices() throws Exception {
        Manifest embedded = Manifest.of("embedded.yaml");
        int replicas = Manifest.number(embedded.workload(), "spec", "replicas");
        try (Pods pods = new Pods(directory);
                Traffic traffic = new Traffic()) {
            startInService(pods, traffic, embedded, replicas, nodeIds(replicas));
            for (Pods.Pod pod : List.copyOf(pods.living())) {
                stop(pods, traffic, embedded, pod);
                startInService(pods, traffic, embedded, 1, nodeIds(replicas));
            }
            check("pods that are members", traffic);
        }
    }

    @Test
    void podsThatAreClientsAndTheirMembersAreReplacedAndNobodyNotices() throws Exception {
        Manifest members = Manifest.of("members.yaml");
        Manifest clients = Manifest.of("clients.yaml");
        int few = 2;
        int surge = 1;
        try (Pods pods = new Pods(directory);
                Traffic traffic = new Traffic()) {
            int replicas = Manifest.number(members.workload(), "spec", "replicas");
            for (Pods.Pod member : pods.start(members, HazelcastMemberStarter.class, replicas, nodeIds(few + surge))) {
                awaitReady(members, member);
            }
            List<Pods.Pod> former = List.copyOf(pods.living());
            List<Pods.Pod> applications = startInService(pods, traffic, clients, few, List.of());
            for (Pods.Pod member : former) {
                stop(pods, traffic, members, member);
                awaitReady(
                        members,
                        pods.start(members, HazelcastMemberStarter.class, 1, nodeIds(few + surge))
                                .get(0));
            }
            for (Pods.Pod application : applications) {
                startInService(pods, traffic, clients, surge, List.of());
                stop(pods, traffic, clients, application);
            }
            check("pods that are clients, and their members", traffic);
        }
    }

    /**
     * Hazelcast's own wait for its minimal cluster size has no time limit and ignores interrupts. SIGTERM must
     * nevertheless end the pod.
     */
    @Test
    void aPodThatWaitsForOtherMembersEndsBySigterm() throws Exception {
        assumeTrue(SpringBootVersion.getVersion().startsWith("4."), "Spring Boot 3.5 starts the member itself");
        try (Pods pods = new Pods(directory)) {
            Pods.Pod pod = pods.start(Manifest.of("embedded.yaml"), PodApplication.class, 1, List.of())
                    .get(0);
            Await.until("it has waited for long", () -> {
                assertThat(pod.process().isAlive()).as("%s", pod).isTrue();
                return pod.toString().contains("the Hazelcast member has waited for 3");
            });
            pod.terminate();
            assertThat(pod.process().waitFor(3, TimeUnit.MINUTES)).isTrue();
            assertThat(pod.process().exitValue()).as("%s", pod).isEqualTo(TERMINATED);
            pods.ended(pod);
        }
    }

    private List<Pods.Pod> startInService(Pods pods, Traffic traffic, Manifest manifest, int count, List<String> flags)
            throws Exception {
        List<Pods.Pod> started = pods.start(manifest, PodApplication.class, count, flags);
        for (Pods.Pod pod : started) {
            awaitReady(manifest, pod);
            assertThat(Traffic.body(url(manifest, pod, "readinessProbe"))).contains("\"snowcast\":{\"status\":\"UP\"}");
            assertThat(Traffic.body(url(manifest, pod, "livenessProbe")))
                    .contains("\"livenessState\":{\"status\":\"UP\"}")
                    .doesNotContain("snowcast");
            traffic.add(pod.address());
        }
        int before = traffic.count();
        Await.until(
                "requests that are served",
                () -> traffic.count() >= before + IDS_BETWEEN
                        || !traffic.failures().isEmpty());
        assertThat(traffic.failures()).isEmpty();
        return started;
    }

    private static String url(Manifest manifest, Pods.Pod pod, String probe) {
        Object path = Manifest.at(manifest.container(), probe, "httpGet", "path");
        Object name = Manifest.at(manifest.container(), probe, "httpGet", "port");
        Object port = ((List<?>) Manifest.at(manifest.container(), "ports"))
                .stream()
                        .filter(each -> name.equals(Manifest.at(each, "name")))
                        .map(each -> Manifest.at(each, "containerPort"))
                        .findAny()
                        .orElseThrow();
        return "http://" + pod.address() + ":" + port + path;
    }

    private void awaitReady(Manifest manifest, Pods.Pod pod) throws InterruptedException {
        long start = System.nanoTime();
        String url = url(manifest, pod, "readinessProbe");
        Await.until("ready", () -> {
            assertThat(pod.process().isAlive()).as("pod %s", pod).isTrue();
            return Traffic.status(url) == 200;
        });
        slowestStart = longer(slowestStart, start);
    }

    private static Duration longer(Duration longest, long startNanos) {
        Duration taken = Duration.ofNanos(System.nanoTime() - startNanos);
        return taken.compareTo(longest) > 0 ? taken : longest;
    }

    /** Takes a pod out of service, then sends SIGTERM, as Kubernetes does. The pod must not become ready again. */
    private void stop(Pods pods, Traffic traffic, Manifest manifest, Pods.Pod pod) throws Exception {
        traffic.remove(pod.address());
        String url = url(manifest, pod, "readinessProbe");
        assertThat(Traffic.status(url)).as("ready until it is stopped: %s", pod).isEqualTo(200);
        List<Integer> seen = new ArrayList<>();
        long start = System.nanoTime();
        pod.terminate();
        while (!pod.process().waitFor(20, TimeUnit.MILLISECONDS)) {
            seen.add(Traffic.status(url));
        }
        slowestStop = longer(slowestStop, start);
        replaced++;
        assertThat(pod.process().exitValue()).as("%s", pod).isEqualTo(TERMINATED);
        assertThat(Traffic.status(url)).isZero();
        assertThat(seen.subList(firstNotReady(seen), seen.size()))
                .as("readiness while it stops: %s", seen)
                .doesNotContain(200);
        pods.ended(pod);
    }

    private static int firstNotReady(List<Integer> seen) {
        int index = 0;
        while (index < seen.size() && seen.get(index) == 200) {
            index++;
        }
        return index;
    }

    private void check(String what, Traffic traffic) throws InterruptedException {
        List<Long> ids = traffic.end();
        assertThat(traffic.failures()).isEmpty();
        assertThat(ids).doesNotHaveDuplicates();
        System.out.printf(
                "%s: %d replaced, %,d requests, none failed, longest %d ms, slowest stop %d ms, slowest start %d ms%n",
                what,
                replaced,
                ids.size(),
                traffic.longest().toMillis(),
                slowestStop.toMillis(),
                slowestStart.toMillis());
    }
}
