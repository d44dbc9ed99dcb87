// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.cluster.ClusterState;
import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.internal.cluster.OwnerCheck.Permit;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.RequestType.Nothing;
import com.noctarius.snowcast.tests.Await;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which requests the owner of a partition refuses, and when. */
@Tag("integration")
class OwnerCheckClusterTest {
    private static final int PARTITION = 0;
    private static final Map<RequestType<?, ?>, Object> REQUESTS = new LinkedHashMap<>();

    static {
        REQUESTS.put(RequestType.RENEW, List.of());
        REQUESTS.put(RequestType.DETACH, List.of());
        REQUESTS.put(RequestType.DESTROY, new Destroyed("orders", 1));
        REQUESTS.put(RequestType.FIND, "orders");
        REQUESTS.put(RequestType.STATUS, Nothing.NOTHING);
        REQUESTS.put(RequestType.COUNT, List.of("orders"));
        REQUESTS.put(RequestType.MAKE_CONTAINER, Nothing.NOTHING);
    }

    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory(1);

    @Test
    void memberThatLeavesOnlyReadsAndTakesNodeIdsBack() {
        SnowcastService service = start(Members.config());
        assertThat(permitted(service)).containsExactlyElementsOf(REQUESTS.keySet());
        service.ownerCheck().leave();
        assertThat(permitted(service)).containsExactly(RequestType.DETACH, RequestType.STATUS, RequestType.COUNT);
        service.ownerCheck().joined();
        assertThat(permitted(service)).containsExactlyElementsOf(REQUESTS.keySet());
    }

    @Test
    void memberWithoutItsQuorumGrantsAndDestroysNothing() {
        SnowcastService service = start(Members.config()
                .addSplitBrainProtectionConfig(new SplitBrainProtectionConfig("quorum", true).setMinimumClusterSize(2))
                .setProperty("snowcast.split.brain.protection.name", "quorum"));
        assertThat(permitted(service))
                .containsExactly(
                        RequestType.DETACH,
                        RequestType.FIND,
                        RequestType.STATUS,
                        RequestType.COUNT,
                        RequestType.MAKE_CONTAINER);
    }

    @Test
    void passiveClusterDestroysNothing() {
        SnowcastService service = start(Members.config());
        member().getCluster().changeClusterState(ClusterState.PASSIVE);
        assertThat(permitted(service)).doesNotContain(RequestType.DESTROY).hasSize(REQUESTS.size() - 1);
    }

    @Test
    void answerIsRefusedIfTheMemberLeavesOrTheBackupsChangeMeanwhile() {
        SnowcastService service = start(Members.config());
        OwnerCheck check = service.ownerCheck();
        Handlers.Handler<?, ?> destroy = Handlers.of(RequestType.DESTROY);
        Permit permit = onPartition(
                service, () -> check.before(PARTITION, Handlers.of(RequestType.DESTROY), new Destroyed("orders", 1)));
        check.after(PARTITION, destroy, permit);
        Permit withBackup = new Permit(permit.container(), 0, List.of(new UUID(1, 1)));
        assertThatThrownBy(() -> check.after(PARTITION, destroy, withBackup)).hasMessageContaining("have changed");
        check.leave();
        assertThatThrownBy(() -> check.after(PARTITION, destroy, permit)).hasMessageContaining("leaves its cluster");
    }

    private SnowcastService start(Config config) {
        HazelcastInstance member = factory.newHazelcastInstance(config);
        SnowcastService service = Members.service(member);
        member.getPartitionService().getPartition("orders").getOwner(); // assigns the partitions
        Await.until("it has a container", () -> service.containers().get(PARTITION) != null);
        return service;
    }

    private HazelcastInstance member() {
        return factory.getAllHazelcastInstances().iterator().next();
    }

    private static List<RequestType<?, ?>> permitted(SnowcastService service) {
        return REQUESTS.keySet().stream()
                .<RequestType<?, ?>>map(type -> type)
                .filter(type -> isPermitted(service, type))
                .toList();
    }

    @SuppressWarnings("unchecked") // Each request in the map has the type of its key.
    private static <Q> boolean isPermitted(SnowcastService service, RequestType<Q, ?> type) {
        Handlers.Handler<Q, ?> handler = Handlers.of(type);
        Q request = (Q) Objects.requireNonNull(REQUESTS.get(type));
        try {
            onPartition(service, () -> service.ownerCheck().before(PARTITION, handler, request));
            return true;
        } catch (CompletionException e) {
            return false;
        }
    }

    private static <T> T onPartition(SnowcastService service, Supplier<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        service.containers().onPartitionThread(PARTITION, () -> {
            try {
                result.complete(action.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result.join();
    }
}
