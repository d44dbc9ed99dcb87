// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.ByteArrayCodec;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.util.Collections;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Sends requests of a client over an authenticated connection. Most of them are changed: they are truncated or
 * lengthened, or have flipped bits, wrong lengths, another version, an unknown type or random values. Checks the
 * answers.
 */
public final class FuzzedRequests {
    private static final int MAX_UNDER_WAY = 200;
    private static final int UNKNOWN_TYPES_ONE_IN = 20;
    /** The first of the {@link #TYPES} message types that are reserved for snowcast. */
    private static final int FIRST_TYPE = 0xE7_00_00;

    private static final int TYPES = 0x1_00_00;
    /**
     * If no pending request is answered or refused within this time, the test fails. The time is longer than the two
     * minutes for which Hazelcast retries a request.
     */
    private static final long DEADLINE_MINUTES = 5;

    private final HazelcastClientInstanceImpl client;
    private final UUID clusterId;
    private final FuzzSamples samples;
    private final Random random;
    private final Set<Sent<?>> underWay = Collections.newSetFromMap(new IdentityHashMap<>());
    private final BlockingQueue<Sent<?>> done = new LinkedBlockingQueue<>();
    private final Map<String, Integer> outcomes = new TreeMap<>();

    private record Sent<A>(
            RequestType<?, A> call,
            Object request,
            Supplier<String> what,
            boolean isAlwaysRefused,
            CompletableFuture<ClientMessage> answer) {
        @Override
        public String toString() {
            return what.get();
        }
    }

    /**
     * Creates a fuzzer.
     *
     * @param seed determines all messages, except for their times and the values that they repeat from answers of the
     *     members
     */
    public FuzzedRequests(long seed, HazelcastInstance member, HazelcastInstance client) {
        this.client = ((HazelcastClientProxy) client).client;
        clusterId = Accessors.getNode(member).getClusterService().getClusterId();
        random = new Random(seed);
        samples = new FuzzSamples(random);
    }

    /** Sends {@code messages} messages. Returns when each request has been answered or refused. */
    public void send(int messages) throws InterruptedException {
        for (int i = 0; i < messages; i++) {
            send();
        }
        awaitAtMost(0);
    }

    /**
     * Sends a request, checks the answers that have arrived, and waits while more than {@link #MAX_UNDER_WAY} requests
     * are pending.
     */
    private void send() throws InterruptedException {
        Sent<?> sent = send(RequestType.OF_CLIENTS.get(random.nextInt(RequestType.OF_CLIENTS.size())));
        underWay.add(sent);
        CompletableFuture<?> unused = sent.answer.whenComplete((answer, refusal) -> done.add(sent));
        awaitAtMost(MAX_UNDER_WAY);
    }

    /** Checks the answers and refusals, and waits until at most {@code count} requests are pending. */
    private void awaitAtMost(int count) throws InterruptedException {
        for (Sent<?> next = done.poll(); next != null || underWay.size() > count; next = done.poll()) {
            Sent<?> ended = next == null ? done.poll(DEADLINE_MINUTES, TimeUnit.MINUTES) : next;
            if (ended == null) {
                throw new AssertionError(
                        "neither answered nor refused: " + underWay.iterator().next());
            }
            underWay.remove(ended);
            judge(ended);
        }
    }

    private <Q, A> Sent<A> send(RequestType<Q, A> call) {
        Q request = samples.request(call);
        UUID sendersCluster = random.nextInt(10) == 0 ? null : clusterId;
        ClientEnvelope<Q> envelope = new ClientEnvelope<>(sendersCluster, request);
        WrittenMessage written =
                WrittenMessage.of(client.getSerializationService(), out -> envelope.write(out, call.request()));
        Mutation mutation = Mutation.any(random);
        byte[] bytes = mutation.applyTo(written, random);
        boolean hasUnknownType = random.nextInt(UNKNOWN_TYPES_ONE_IN) == 0;
        int type = hasUnknownType ? unknownType() : call.requestType();
        String how = hasUnknownType ? "unknown type " + Integer.toHexString(type) : call + " " + mutation;
        Supplier<String> what = () -> how + " " + HexFormat.of().formatHex(bytes);
        boolean isAlwaysRefused = hasUnknownType || mutation == Mutation.LENGTHENED || mutation.isAlwaysRefused();
        return new Sent<>(call, request, what, isAlwaysRefused, sendBytes(type, bytes));
    }

    private int unknownType() {
        int type = FIRST_TYPE + random.nextInt(TYPES);
        boolean isKnown = RequestType.OF_CLIENTS.stream().anyMatch(call -> call.requestType() == type);
        return isKnown ? type + 1 : type;
    }

    /** Sends a message. If {@code payload} is empty, the message has no payload frame. */
    private CompletableFuture<ClientMessage> sendBytes(int type, byte[] payload) {
        byte[] header = new byte[ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES];
        ClientMessage message = ClientMessage.createForEncode();
        message.add(new ClientMessage.Frame(header, ClientMessage.UNFRAGMENTED_MESSAGE));
        message.setMessageType(type);
        message.setPartitionId(-1);
        message.setOperationName("fuzz");
        if (payload.length > 0) {
            ByteArrayCodec.encode(message, payload);
        }
        return new ClientInvocation(client, message, "fuzz").invoke();
    }

    private <A> void judge(Sent<A> sent) throws InterruptedException {
        try {
            A answer = read(sent.call, sent.answer.get());
            if (sent.isAlwaysRefused) {
                throw new AssertionError("answered by " + answer + ": " + sent);
            }
            samples.remember(sent.request, answer);
            count("answered");
        } catch (ExecutionException e) {
            Throwable refusal = Objects.requireNonNull(e.getCause());
            requireClear(sent, refusal);
            count(refusal.getClass().getSimpleName());
        }
    }

    /**
     * Fails if the refusal indicates an error in the member, such as a {@link NullPointerException}. The refusal of an
     * unreadable request must name its type and a position.
     */
    private static void requireClear(Sent<?> sent, Throwable refusal) {
        boolean isClear = refusal instanceof HazelcastSerializationException
                ? String.valueOf(refusal.getMessage())
                        .startsWith("a client's " + sent.call + " cannot be read, at byte ")
                : refusal instanceof Exception
                        && !(refusal instanceof OperationTimeoutException)
                        && !(refusal instanceof NullPointerException)
                        && !(refusal instanceof IndexOutOfBoundsException)
                        && !(refusal instanceof ClassCastException)
                        && !(refusal instanceof ArithmeticException);
        if (!isClear) {
            throw new AssertionError("refused by " + refusal + ": " + sent, refusal);
        }
    }

    private <A> A read(RequestType<?, A> call, ClientMessage message) {
        ClientMessage.ForwardFrameIterator frames = message.frameIterator();
        frames.next();
        return WireInput.read(
                        client.getSerializationService().createObjectDataInput(ByteArrayCodec.decode(frames)),
                        "an answer",
                        ClientEnvelope.reader(call.answer()))
                .content();
    }

    private void count(String outcome) {
        outcomes.merge(outcome, 1, Integer::sum);
    }

    @Override
    public String toString() {
        return outcomes.toString();
    }
}
