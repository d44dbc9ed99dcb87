// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("integration")
class SecurityTest {
    @Test
    void withATokenOnlyWhoBringsItIsServed() throws Exception {
        try (RunningServer server = RunningServer.startWithOrders("snowcast-server.token=" + RunningServer.TOKEN)) {
            for (String path :
                    new String[] {"/ids/orders/1", "/actuator/prometheus", "/actuator/snowcast", "/nothing"}) {
                assertUnauthorized(server.get(path));
            }
            assertUnauthorized(server.post("/ids/orders"));
            assertUnauthorized(server.post("/integers/products"));
            for (String wrong : new String[] {"x" + RunningServer.TOKEN, RunningServer.TOKEN + "x", "", "null"}) {
                assertUnauthorized(authorized(server, "Bearer " + wrong));
            }
            assertUnauthorized(authorized(server, "Basic " + RunningServer.TOKEN));
            assertThat(authorized(server, "Bearer " + RunningServer.TOKEN).statusCode())
                    .isEqualTo(200);
            assertThat(authorized(server, "bearer " + RunningServer.TOKEN).statusCode())
                    .isEqualTo(200);
            assertThat(server.get("/openapi.yaml").statusCode()).isEqualTo(200);
            HttpResponse<String> health = server.get("/actuator/health");
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).contains("\"UP\"").doesNotContain("orders");
            assertThat(server.send(server.request("/actuator/health")
                                    .header("Authorization", "Bearer " + RunningServer.TOKEN))
                            .body())
                    .contains("orders");
            for (InetAddress address : otherAddress().stream().toList()) {
                new Socket(address, server.port()).close();
            }
        }
    }

    private static HttpResponse<String> authorized(RunningServer server, String authorization) throws Exception {
        return server.send(server.request("/ids/orders")
                .header("Authorization", authorization)
                .POST(BodyPublishers.noBody()));
    }

    private static void assertUnauthorized(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.uri().toString()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"snowcast\"");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.body()).doesNotContain(RunningServer.TOKEN);
        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
    }

    /** Returns an address of this machine other than the loopback address. */
    static Optional<InetAddress> otherAddress() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "server.address=0.0.0.0, server.address must be a loopback address as long as snowcast-server.token is not set",
        "management.server.port=0, management.server.address must be a loopback address as long as",
        "management.server.address=0.0.0.0, management.server.address must be a loopback address as long as",
        "snowcast-server.token=short, 'snowcast-server.token must have 16 or more'",
        "snowcast-server.token=with a blank and long, 'snowcast-server.token must have 16 or more'",
        "snowcast-server.token=, 'snowcast-server.token must have 16 or more'",
        "snowcast-server.max-count=0, snowcast-server.max-count must be 1 to 1000000: 0"
    })
    void whatWouldServeEverybodyOrCannotBeEndsTheStart(String property, String message) {
        assertThatThrownBy(() -> RunningServer.startWithoutCluster(
                                "snowcast.store=jdbc", "spring.datasource.url=jdbc:h2:mem:refused", property)
                        .close())
                .rootCause()
                .isInstanceOf(WrongSettingException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("with a blank");
    }

    @Test
    void aServerAtANamedLoopbackAddressAndWithoutSequencersHandsOutNothing() throws Exception {
        try (RunningServer server = RunningServer.start("server.address=localhost")) {
            assertThat(server.post("/ids/orders").statusCode()).isEqualTo(404);
            assertThat(server.get("/actuator/health").statusCode()).isEqualTo(200);
            assertThat(server.bean(com.hazelcast.core.HazelcastInstance.class)
                            .getCluster()
                            .getMembers())
                    .hasSize(1);
        }
    }
}
