// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.tests.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Tests that many concurrent health requests are answered although the cluster cannot be reached. */
@Tag("integration")
class ClusterAwayTest {
    /** The number of concurrent requests. It exceeds Tomcat's default of 200 threads. */
    private static final int REQUESTS = 230;

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static ConfigurableApplicationContext run(HazelcastInstance client) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setRegisterShutdownHook(false);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("hazelcastInstance", client));
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                "management.endpoint.health.show-details", "always",
                "management.endpoint.health.probes.enabled", "true",
                "management.endpoint.health.group.readiness.include", "readinessState,snowcast,hazelcast",
                "snowcast.sequencers.orders.epoch", "2024-01-01T00:00:00Z"));
        return application.run("--" + Boot.NO_DATABASES);
    }

    private static HttpRequest request(ConfigurableApplicationContext application, String path) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/health" + path))
                .build();
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext application, String path)
            throws IOException, InterruptedException {
        return HTTP.send(request(application, path), HttpResponse.BodyHandlers.ofString());
    }

    /** Returns a client whose calls to its cluster block for longer than the test waits. */
    private static HazelcastInstance patientClient(HazelcastInstance member) {
        ClientConfig config = Members.clientConfig(member);
        config.setProperty("hazelcast.client.invocation.timeout.seconds", "3600");
        config.getConnectionStrategyConfig().getConnectionRetryConfig().setClusterConnectTimeoutMillis(-1);
        return HazelcastClient.newHazelcastClient(config);
    }

    @Test
    void noHealthIndicatorWaitsForTheClusterHoweverManyAsk() throws Exception {
        HazelcastInstance member = Members.start();
        HazelcastInstance client = patientClient(member);
        try (ConfigurableApplicationContext application = run(client)) {
            try {
                assertThat(get(application, "").statusCode()).isEqualTo(200);
                assertThat(get(application, "/hazelcast").body())
                        .contains(client.getName())
                        .contains(client.getLocalEndpoint().getUuid().toString());
                member.getLifecycleService().terminate();
                Await.until(
                        "a client that has lost its cluster",
                        () -> client.getLocalEndpoint().getSocketAddress() == null);
                assertAnswered(application);
            } finally {
                // Shutting the client down ends all its calls that wait for the cluster.
                client.getLifecycleService().terminate();
            }
        } finally {
            member.getLifecycleService().terminate();
        }
    }

    private static void assertAnswered(ConfigurableApplicationContext application) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, REQUESTS)
                .mapToObj(i -> HTTP.sendAsync(
                        request(application, i % 2 == 0 ? "" : "/readiness"), HttpResponse.BodyHandlers.ofString()))
                .toList();
        assertThat(HTTP.sendAsync(request(application, "/liveness"), HttpResponse.BodyHandlers.ofString())
                        .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                        .statusCode())
                .isEqualTo(200);
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            HttpResponse<String> health = answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).contains("the client is not connected to any member of its cluster");
        }
    }
}
