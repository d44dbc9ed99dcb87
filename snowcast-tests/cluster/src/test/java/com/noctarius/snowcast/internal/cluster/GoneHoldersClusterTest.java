// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.Client;
import com.hazelcast.client.impl.ClientEndpoint;
import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import com.noctarius.snowcast.tests.Await;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which holders an owner considers gone, and when it considers them alive again. */
@Tag("integration")
class GoneHoldersClusterTest {
    private final TestHazelcastFactory factory = new TestHazelcastFactory();

    @AfterEach
    void stop() {
        factory.terminateAll();
    }

    private HazelcastInstance startMember(long leaseMillis) {
        return factory.newHazelcastInstance(Members.config("snowcast.lease.millis", Long.toString(leaseMillis)));
    }

    private SnowcastSequencer createOnClient() {
        return SnowcastSystem.snowcast(factory.newHazelcastClient())
                .createSequencer("orders", SnowcastEpoch.byTimestamp(0));
    }

    private static GoneHolders of(HazelcastInstance member) {
        SnowcastService service = (SnowcastService) member.getUserContext().get(SnowcastService.NAME);
        return Objects.requireNonNull(service).bounds().gone;
    }

    private static Client clientOf(HazelcastInstance member) {
        return member.getClientService().getConnectedClients().iterator().next();
    }

    private static UUID holderOf(Client client) {
        return HolderId.at(client.getSocketAddress(), client.getUuid());
    }

    private static boolean isAttached(HazelcastInstance member) {
        return SnowcastSystem.clusterStatus(member)
                .sequencers()
                .get(0)
                .nodes()
                .get(0)
                .isAttached();
    }

    @Test
    void aRenewalShowsThatAClientIsAliveThoughItIsNotConnectedToTheOwner() {
        HazelcastInstance member = startMember(2_000);
        SnowcastSequencer sequencer = createOnClient();
        of(member).left(clientOf(member));
        long renewals = sequencer.stats().renewalCount();

        // The holder may have requested one renewal before it counted as gone, so wait for two renewals.
        Await.until("a renewal", () -> sequencer.stats().renewalCount() > renewals + 1);
        assertThat(of(member).isGone(holderOf(clientOf(member)))).isFalse();
    }

    @Test
    void aClientThatConnectsAgainIsAlive() {
        HazelcastInstance member = startMember(300_000);
        SnowcastSequencer unused = createOnClient();
        Client before = clientOf(member);
        of(member).left(before);
        assertThat(isAttached(member)).isFalse();

        ((ClientEndpoint) before).getConnection().close("by the test", null);
        Await.until("an attached node", () -> isAttached(member));
    }

    @Test
    void whoIsGoneIsForgottenWhenItsLeaseHasRunOut() {
        HazelcastInstance member = startMember(300_000);
        factory.newHazelcastClient();
        factory.newHazelcastClient();
        Client[] clients = member.getClientService().getConnectedClients().toArray(Client[]::new);
        AtomicLong now = new AtomicLong(1_000);
        GoneHolders gone = new GoneHolders(now::get, 300);
        gone.left(clients[0]);
        now.addAndGet(301);
        assertThat(gone.isGone(holderOf(clients[0]))).isTrue();
        gone.left(clients[1]);
        assertThat(gone.isGone(holderOf(clients[0]))).isFalse();
        assertThat(gone.isGone(holderOf(clients[1]))).isTrue();
        gone.asked(holderOf(clients[1]));
        assertThat(gone.isGone(holderOf(clients[1]))).isFalse();
    }
}
