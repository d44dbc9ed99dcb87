// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests well-formed requests with false contents, from a client that attacks the others. */
@Tag("integration")
class ForgedRequestsClusterTest {
    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");
    private static final Definition DEFINITION = new Definition(EPOCH.toEpochMilli(), SnowcastLayout.DEFAULT, 1, null);

    @AutoClose("terminateAll")
    private static final TestHazelcastFactory FACTORY = new TestHazelcastFactory();

    private static MemberTransport transport;
    private static Snowcast snowcast;

    private final UUID liar = UUID.randomUUID();

    @BeforeAll
    static void start() {
        HazelcastInstance member = FACTORY.newHazelcastInstance(Members.config());
        FACTORY.newHazelcastInstance(Members.config());
        NodeEngineImpl nodeEngine = Accessors.getNodeEngineImpl(member);
        transport = new MemberTransport(nodeEngine, nodeEngine.getLogger(ForgedRequestsClusterTest.class));
        snowcast = SnowcastSystem.snowcast(member);
    }

    /**
     * Sends a request. Like the library, retries if the outcome is unknown, for example because a backup does not know
     * its role yet and drops the change.
     */
    private <Q, A> A ask(RequestType<Q, A> call, Q request) {
        return Answers.outcome(
                call.toString(),
                transport.timeoutMillis(),
                () -> transport.send(call, request, transport.timeoutMillis()));
    }

    private AttachRequest attach(String name, long incarnation) {
        return new AttachRequest(name, DEFINITION, incarnation, liar, 1, System.currentTimeMillis(), 0, -1);
    }

    /**
     * If a client could destroy an incarnation with the highest possible number, no number would be left for the next
     * one.
     */
    @Test
    void anIncarnationThatCannotHaveBegunIsNotTakenOver() throws Exception {
        long hourAhead = System.currentTimeMillis() + 3_600_000;
        for (long incarnation : new long[] {Long.MAX_VALUE, hourAhead}) {
            ask(RequestType.ATTACH, attach("orders", incarnation));
            assertThat(ask(RequestType.DESTROY, new Destroyed("orders", incarnation)))
                    .isFalse();
        }
        Grant grant = ask(RequestType.ATTACH, attach("orders", 0)).orElseThrow();
        assertThat(grant.incarnation()).isLessThan(hourAhead);
        ask(RequestType.DETACH, List.of(new DetachRequest("orders", grant.logicalNodeId(), grant.token(), 0)));
        SnowcastSequencer orders = snowcast.createSequencer("orders", SnowcastEpoch.byInstant(EPOCH));
        long first = orders.next();
        snowcast.destroySequencer(orders);
        SnowcastSequencer again = snowcast.createSequencer("orders", SnowcastEpoch.byInstant(EPOCH));
        assertThat(again.next()).isGreaterThan(first);
        assertThat(ask(RequestType.DESTROY, new Destroyed("orders", Long.MAX_VALUE)))
                .isFalse();
        again.next();
    }

    @Test
    void aTokenThatIsGuessedFreesNoNodeId() throws Exception {
        SnowcastSequencer bills = snowcast.createSequencer("bills", SnowcastEpoch.byInstant(EPOCH));
        long id = bills.next();
        Grant own = ask(RequestType.ATTACH, attach("bills", 0)).orElseThrow();
        int node = bills.logicalNodeId(id);

        List<DetachRequest> guesses = LongStream.rangeClosed(-500, 0)
                .mapToObj(back -> new Token(own.token().tableId(), own.token().sequence() + back, liar))
                .map(token -> new DetachRequest("bills", node, token, 0))
                .toList();

        assertThat(ask(RequestType.DETACH, guesses)).containsOnly(false);
        assertThat(bills.next()).isGreaterThan(id);
    }

    /** If the owner kept an empty table that its backups lack, a backup that becomes the owner would assume a loss. */
    @Test
    void nothingIsKeptForARequestThatCreatesNothing() {
        for (int i = 0; i < 100; i++) {
            String name = "orders-" + i;
            assertThat(ask(RequestType.DETACH, List.of(new DetachRequest(name, 0, new Token(1, 2, liar), 0))))
                    .containsExactly(false);
            assertThat(ask(RequestType.DESTROY, new Destroyed(name, 5))).isFalse();
            for (HazelcastInstance member : FACTORY.getAllHazelcastInstances()) {
                assertThat(Replicas.tables(member, name)).doesNotContain(name);
            }
        }
    }
}
