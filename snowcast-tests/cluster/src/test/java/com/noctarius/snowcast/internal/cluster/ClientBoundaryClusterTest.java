// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.ByteArrayCodec;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.util.ConcurrencyUtil;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.security.SecurityContext;
import com.hazelcast.security.permission.FlakeIdGeneratorPermission;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import com.noctarius.snowcast.tests.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which messages a member accepts from an authenticated client, and how they affect other clients. */
@Tag("integration")
class ClientBoundaryClusterTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(0);
    private static final Token TOKEN = new Token(1, 2, UUID.randomUUID());

    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory();

    private final Queue<String> intercepted = new ConcurrentLinkedQueue<>();

    private HazelcastInstance member;
    private HazelcastInstance proxy;
    private HazelcastClientInstanceImpl client;
    private InternalSerializationService serialization;

    @BeforeEach
    void start() {
        member = factory.newHazelcastInstance(Members.config());
        proxy = factory.newHazelcastClient();
        client = ((HazelcastClientProxy) proxy).client;
        serialization = client.getSerializationService();
    }

    private ClientRequests clientRequests() {
        return Members.service(member).clientRequests;
    }

    /** Sends a message with exactly this payload. If {@code payload} is null, the message has no payload frame. */
    private CompletableFuture<ClientMessage> sendBytes(RequestType<?, ?> call, byte @Nullable [] payload) {
        byte[] header = new byte[ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES];
        ClientMessage message = ClientMessage.createForEncode();
        message.add(new ClientMessage.Frame(header, ClientMessage.UNFRAGMENTED_MESSAGE));
        message.setMessageType(call.requestType());
        message.setPartitionId(-1);
        message.setOperationName("test");
        if (payload != null) {
            ByteArrayCodec.encode(message, payload);
        }
        return new ClientInvocation(client, message, "test").invoke();
    }

    private <Q> byte[] bytes(RequestType<Q, ?> call, Q request) throws IOException {
        BufferObjectDataOutput out = serialization.createObjectDataOutput();
        new ClientEnvelope<>(null, request).write(out, call.request());
        return out.toByteArray();
    }

    private <Q, A> A send(RequestType<Q, A> call, Q request) throws Exception {
        return answer(call, sendBytes(call, bytes(call, request)).get(2, TimeUnit.MINUTES));
    }

    private <A> A answer(RequestType<?, A> call, ClientMessage response) {
        ClientMessage.ForwardFrameIterator frames = response.frameIterator();
        frames.next();
        return WireInput.read(
                        serialization.createObjectDataInput(ByteArrayCodec.decode(frames)),
                        "the answer",
                        ClientEnvelope.reader(call.answer()))
                .content();
    }

    private void requireRefused(RequestType<?, ?> call, byte @Nullable [] payload, String message) {
        assertThatThrownBy(() -> sendBytes(call, payload).get(2, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(HazelcastSerializationException.class)
                .hasMessageStartingWith("a client's " + call + " cannot be read, at byte ")
                .hasMessageContaining(message);
    }

    private static AttachRequest attach(String name) {
        return new AttachRequest(
                name,
                new Definition(0, SnowcastLayout.DEFAULT, 1, null),
                0,
                UUID.randomUUID(),
                1,
                System.currentTimeMillis(),
                0,
                -1);
    }

    @Test
    void aMessageThatCannotBeReadIsRefusedAndTheNextOneIsServed() throws Exception {
        byte[] detach = bytes(RequestType.DETACH, List.of(new DetachRequest("orders", 0, TOKEN, 5)));
        for (int count : new int[] {Integer.MAX_VALUE, 100_000_000, -1, Integer.MIN_VALUE, 1_001}) {
            byte[] lying = detach.clone();
            ByteBuffer.wrap(lying).putInt(2, count);
            requireRefused(
                    RequestType.DETACH, lying, "at byte 6 of " + lying.length + ": the count of a list must be 0 to ");
            requireRefused(RequestType.DETACH, lying, ": " + count);
            requireRefused(RequestType.RENEW, lying, ": " + count);
        }
        requireRefused(RequestType.DETACH, Arrays.copyOf(detach, detach.length - 1), "it ends early");
        for (RequestType<?, ?> call : RequestType.OF_CLIENTS) {
            requireRefused(call, null, "at byte 0 of 0: it ends early");
            requireRefused(call, new byte[0], "at byte 0 of 0: it ends early");
            requireRefused(call, new byte[] {9}, "at byte 1 of 1: this version of snowcast reads version 1 of");
        }
        requireRefused(RequestType.ATTACH, bytes(RequestType.ATTACH, attach("a\0")), "name must ");
        assertThat(send(RequestType.ATTACH, attach("orders"))).isPresent();
    }

    @Test
    void aConnectionHasOneListenerHoweverOftenItAsks() throws Exception {
        byte[] listen = bytes(RequestType.LISTEN, true);
        List<CompletableFuture<ClientMessage>> responses = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            responses.add(sendBytes(RequestType.LISTEN, listen));
        }
        Set<UUID> registrations = new HashSet<>();
        for (CompletableFuture<ClientMessage> response : responses) {
            registrations.add(answer(RequestType.LISTEN, response.get(2, TimeUnit.MINUTES)));
        }

        assertThat(registrations).hasSize(1);
        assertThat(clientRequests().listeners).hasSize(1);
        HazelcastInstance other = factory.newHazelcastClient();
        SnowcastSystem.snowcast(other).createSequencer("orders", EPOCH);
        assertThat(clientRequests().listeners).hasSize(2);
        other.shutdown();
        client.shutdown();
        Await.until(
                "no listener of a client that is gone",
                () -> clientRequests().listeners.isEmpty());
    }

    @Test
    void aListenerOfAVersionThatIsNotSpokenIsNotRegistered() throws Exception {
        byte[] listen = bytes(RequestType.LISTEN, true);
        listen[0] = WireInput.VERSION + 1;

        requireRefused(RequestType.LISTEN, listen, "this version of snowcast reads version 1 of");
        assertThat(clientRequests().listeners).isEmpty();
    }

    // --- threads

    /**
     * If the JVM's common pool has fewer than two threads, as on two processors, Hazelcast's futures start a new thread
     * for each dependent action that has no executor.
     */
    @Test
    void noThreadIsStartedForARequest() throws Exception {
        int requests = 2_000;
        AtomicInteger elsewhere = new AtomicInteger();
        Executor former = ConcurrencyUtil.getDefaultAsyncExecutor();
        ConcurrencyUtil.setDefaultAsyncExecutor(task -> {
            elsewhere.incrementAndGet();
            former.execute(task);
        });
        try {
            send(RequestType.ATTACH, attach("orders"));
            long threadsBefore = ManagementFactory.getThreadMXBean().getTotalStartedThreadCount();
            int elsewhereBefore = elsewhere.get();
            List<CompletableFuture<ClientMessage>> responses = new ArrayList<>();
            for (int i = 0; i < requests; i++) {
                responses.add(sendBytes(RequestType.ATTACH, bytes(RequestType.ATTACH, attach("orders-" + i % 100))));
            }
            for (CompletableFuture<ClientMessage> response : responses) {
                Optional<Grant> grant = answer(RequestType.ATTACH, response.get(2, TimeUnit.MINUTES));
                assertThat(grant).isPresent();
            }

            // Hazelcast itself starts far fewer threads during these calls.
            assertThat(elsewhere.get() - elsewhereBefore).isLessThan(requests / 2);
            assertThat(ManagementFactory.getThreadMXBean().getTotalStartedThreadCount() - threadsBefore)
                    .isLessThan(requests / 2);
        } finally {
            ConcurrencyUtil.setDefaultAsyncExecutor(former);
        }
    }

    // --- permissions

    /** Installs a permission check like Hazelcast Enterprise's. Returns the queue of the checked permissions. */
    private Queue<Permission> grantOnly(Permission... granted) throws ReflectiveOperationException {
        Queue<Permission> asked = new ConcurrentLinkedQueue<>();
        SecurityContext security = (SecurityContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {SecurityContext.class}, (context, method, arguments) -> {
                    if (method.getName().equals("checkPermission")) {
                        Permission permission = (Permission) arguments[1];
                        asked.add(permission);
                        if (Arrays.stream(granted).noneMatch(each -> each.implies(permission))) {
                            throw new SecurityException("denied");
                        }
                    }
                    if (method.getName().equals("interceptBefore")) {
                        intercepted.add(arguments[1] + " " + arguments[2] + " " + arguments[3]);
                    }
                    return null;
                });
        Node node = Accessors.getNode(member);
        Field field = Node.class.getField("securityContext");
        field.setAccessible(true);
        field.set(node, security);
        return asked;
    }

    @Test
    void aClientMayDoWhatItIsPermittedTo() throws Exception {
        Snowcast snowcast = SnowcastSystem.snowcast(proxy);
        grantOnly(new FlakeIdGeneratorPermission("orders*", "create", "modify"));

        SnowcastSequencer orders = snowcast.createSequencer("orders", EPOCH);
        assertThat(orders.next()).isNotZero();
        assertThatThrownBy(() -> snowcast.createSequencer("bills", EPOCH))
                .isInstanceOf(SnowcastException.class)
                .hasMessageContaining("denied");
        assertThatThrownBy(() -> snowcast.destroySequencer(orders))
                .isInstanceOf(SnowcastException.class)
                .hasMessageContaining("denied");
        grantOnly(new FlakeIdGeneratorPermission("*", "all"));
        assertThatCode(() -> snowcast.destroySequencer(orders)).doesNotThrowAnyException();
    }

    @Test
    void everyNameOfABatchNeedsAPermission() throws Exception {
        Queue<Permission> asked = grantOnly(new FlakeIdGeneratorPermission("orders", "modify"));
        List<DetachRequest> batch = IntStream.range(0, 4)
                .mapToObj(i -> new DetachRequest(i < 3 ? "orders" : "bills", i, TOKEN, 0))
                .toList();

        assertThat(send(RequestType.DETACH, batch.subList(0, 3))).containsExactly(false, false, false);
        assertThatThrownBy(() -> send(RequestType.DETACH, batch)).hasRootCauseMessage("denied");
        assertThat(asked)
                .extracting(Permission::getName)
                .as("each name of a batch once")
                .containsExactly("orders", "orders", "bills");
    }

    @Test
    void everyRequestOfAClientNamesPermissionObjectAndMethod() throws Exception {
        Queue<Permission> asked = grantOnly();
        Destroyed life = new Destroyed("orders", 1);
        RenewRequest renew =
                new RenewRequest("orders", new Definition(0, SnowcastLayout.DEFAULT, 1, null), 1, 0, TOKEN, 1, 1, 0);

        requireDenied(RequestType.ATTACH, attach("orders"));
        requireDenied(RequestType.DETACH, List.of(new DetachRequest("orders", 0, TOKEN, 0)));
        requireDenied(RequestType.RENEW, List.of(renew));
        requireDenied(RequestType.DESTROY, life);
        requireDenied(RequestType.CLUSTER_STATUS, RequestType.Nothing.NOTHING);
        requireDenied(RequestType.COUNT, List.of("orders"));
        assertThat(asked)
                .extracting(Permission::getName, Permission::getActions)
                .containsExactly(
                        tuple("orders", "create modify"),
                        tuple("orders", "modify"),
                        tuple("orders", "modify"),
                        tuple("orders", "destroy"),
                        tuple("snowcast:status", "modify"),
                        tuple("orders", "modify"));
        assertThat(intercepted)
                .containsExactly(
                        "snowcast:service orders ATTACH",
                        "snowcast:service orders DETACH",
                        "snowcast:service orders RENEW",
                        "snowcast:service orders DESTROY",
                        "snowcast:service snowcast:status CLUSTER_STATUS",
                        "snowcast:service orders COUNT");
        assertThat(RequestType.OF_CLIENTS).as("and LISTEN, which needs none").hasSize(intercepted.size() + 1);
        assertThat(send(RequestType.LISTEN, true)).isNotNull();
    }

    private <Q> void requireDenied(RequestType<Q, ?> call, Q request) {
        assertThatThrownBy(() -> send(call, request)).as(call.toString()).hasRootCauseMessage("denied");
    }
}
