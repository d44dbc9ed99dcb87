// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests renewals by clients: of grants from another cluster, and of sequencers in several partitions in one batch. */
@Tag("integration")
class ClientRequestsClusterTest {
    private static final Definition DEFINITION = new Definition(0, SnowcastLayout.DEFAULT, 1, null);

    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory();

    private NodeEngineImpl nodeEngine;
    private MemberTransport transport;

    @BeforeEach
    void start() {
        HazelcastInstance member = factory.newHazelcastInstance(Members.config());
        nodeEngine = Accessors.getNodeEngineImpl(member);
        transport = new MemberTransport(nodeEngine, nodeEngine.getLogger(getClass()));
    }

    private RenewRequest renewalOfNewHolder(String name) {
        UUID holder = UUID.randomUUID();
        long now = System.currentTimeMillis();
        AttachRequest attach = new AttachRequest(name, DEFINITION, 0, holder, 1, now, 0, -1);
        Grant grant = transport
                .send(RequestType.ATTACH, attach, transport.timeoutMillis())
                .join()
                .orElseThrow();
        return new RenewRequest(
                name, DEFINITION, grant.incarnation(), grant.logicalNodeId(), grant.token(), grant.ceiling(), now, 0);
    }

    private List<RenewReply> renew(UUID clusterId, List<RenewRequest> requests) throws IOException {
        InternalSerializationService serialization =
                (InternalSerializationService) nodeEngine.getSerializationService();
        BufferObjectDataOutput out = serialization.createObjectDataOutput();
        new ClientEnvelope<>(clusterId, requests).write(out, RequestType.RENEW.request());
        SnowcastService service = nodeEngine.getService(SnowcastService.NAME);
        ClientRequests clientRequests = service.clientRequests;
        byte[] answer = clientRequests
                .answer(RequestType.RENEW, clientRequests.read(RequestType.RENEW, out.toByteArray()))
                .join();
        return WireInput.read(
                        serialization.createObjectDataInput(answer),
                        "the answer",
                        ClientEnvelope.reader(RequestType.RENEW.answer()))
                .content();
    }

    @Test
    void aGrantOfAnotherClusterIsNotRenewedWhateverTheTableKnows() throws Exception {
        List<RenewRequest> request = List.of(renewalOfNewHolder("orders"));

        assertThat(renew(UUID.randomUUID(), request)).containsExactly(RenewReply.REFUSED);
        assertThat(renew(nodeEngine.getClusterService().getClusterId(), request))
                .allMatch(reply -> reply.outcome() == RenewReply.Outcome.RENEWED);
    }

    @Test
    void aBatchOfSeveralPartitionsIsAnsweredInItsOrder() throws Exception {
        List<RenewRequest> requests = Stream.iterate(0, i -> i + 1)
                .limit(20)
                .map(i -> renewalOfNewHolder("orders-" + i))
                .toList();
        Destroyed life = new Destroyed("orders-7", requests.get(7).incarnation());
        assertThat(transport
                        .send(RequestType.DESTROY, life, transport.timeoutMillis())
                        .join())
                .isTrue();

        List<RenewReply> replies = renew(nodeEngine.getClusterService().getClusterId(), requests);

        assertThat(replies).hasSize(20);
        for (int i = 0; i < 20; i++) {
            assertThat(replies.get(i).outcome())
                    .isEqualTo(i == 7 ? RenewReply.Outcome.DESTROYED : RenewReply.Outcome.RENEWED);
        }
    }
}
