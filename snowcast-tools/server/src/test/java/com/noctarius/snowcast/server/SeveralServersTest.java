// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("integration")
class SeveralServersTest {
    @Test
    void serversOfOneClusterHandOutDifferentIdsAndIntegersAndKnowOfEachOther() throws Exception {
        try (RunningServer first = RunningServer.start(RunningServer.ORDERS);
                RunningServer second = RunningServer.startBeside(first, "hazelcast-test.yaml", RunningServer.ORDERS);
                RunningServer client =
                        RunningServer.startBeside(first, "hazelcast-client-test.yaml", RunningServer.ORDERS)) {
            Set<String> ids = new HashSet<>();
            Set<String> integers = new HashSet<>();
            for (RunningServer server : new RunningServer[] {first, second, client}) {
                RunningServer.json(server.post("/ids/orders?count=1000"))
                        .get("ids")
                        .forEach(id -> ids.add(id.asString()));
                RunningServer.json(server.post("/integers/products?count=1000"))
                        .get("integers")
                        .forEach(integer -> integers.add(integer.asString()));
            }
            assertThat(ids).hasSize(3_000);
            assertThat(integers).hasSize(3_000);

            JsonNode ofMember = first.statusWithoutProblem();
            assertThat(ofMember.get("server").get("role").asString()).isEqualTo("member");
            assertThat(ofMember.get("members")).hasSize(2);
            assertThat(ofMember.get("clients")).hasSize(1);
            assertThat(ofMember.get("cluster").get("sequencers").get(0).get("nodes"))
                    .hasSize(3);

            JsonNode ofClient = client.statusWithoutProblem();
            assertThat(ofClient.get("server").get("role").asString()).isEqualTo("client");
            assertThat(ofClient.get("members")).hasSize(2);
            assertThat(ofClient.get("clients").isNull()).isTrue();
            assertThat(ofClient.get("cluster").get("sequencers").get(0).get("nodes"))
                    .hasSize(3)
                    .anyMatch(node -> node.get("holder").asString().startsWith("client "));
        }
    }
}
