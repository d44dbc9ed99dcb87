// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.ByteArrayCodec;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.Forger.Forged;
import com.noctarius.snowcast.internal.integers.PoolDefinition;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.TableRules;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.WireInput;
import com.noctarius.snowcast.internal.wire.WireVersion;
import com.noctarius.snowcast.tests.Await;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A client that lies, at random, over a real connection, while a member and a client generate and an owner crashes. The
 * printed seed, given by {@code -Dsnowcast.seed=}, repeats its choices as far as the answers are the same.
 */
@Tag("faults")
class ForgeryClusterTest {
    private static final int REQUESTS = 300;
    private static final long EPOCH = 1_700_000_000_000L;
    private static final String ORDERS = "orders";
    private static final String NUMBERS = "numbers";
    private static final TableRules DEFAULTS = new TableRules(300_000, 60_000, 480_000, 0, 8_191);

    private final TestHazelcastFactory factory = new TestHazelcastFactory();
    private final Set<Long> ids = new HashSet<>();
    private final Set<Long> integers = new HashSet<>();
    private UUID clusterId = new UUID(0, 0);

    @AfterEach
    void stop() {
        factory.terminateAll();
    }

    private HazelcastInstance newMember() {
        Config config = new Config();
        config.getJetConfig().setEnabled(false);
        config.setProperty("hazelcast.partition.count", "11");
        return factory.newHazelcastInstance(config);
    }

    /** Somebody who generates, and creates anew what was destroyed. */
    private final class Honest {
        private final Snowcast snowcast;
        private @Nullable SnowcastSequencer orders;
        private @Nullable IntegerSequence numbers;

        Honest(HazelcastInstance hazelcast) {
            snowcast = SnowcastSystem.snowcast(hazelcast);
        }

        /** Returns whether it was given both; a refusal says that somebody has destroyed a name. */
        boolean generate(Forger forger) {
            SnowcastSequencer ids = orders;
            IntegerSequence integers = numbers;
            try {
                ids = ids == null ? snowcast.createSequencer(ORDERS, SnowcastEpoch.byTimestamp(EPOCH)) : ids;
                orders = ids;
                long id = ids.next();
                requireNew(ForgeryClusterTest.this.ids, id);
                forger.sees(ids.timestampValue(id) - EPOCH);
            } catch (SnowcastException e) {
                orders = null;
                return false;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            try {
                integers = integers == null
                        ? snowcast.createIntegerSequence(IntegerSequenceConfig.builder(NUMBERS)
                                .blockSize(5)
                                .build())
                        : integers;
                numbers = integers;
                long integer = integers.next();
                requireNew(ForgeryClusterTest.this.integers, integer);
                forger.sees(integer);
            } catch (SnowcastException e) {
                numbers = null;
                return false;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return true;
        }

        private void requireNew(Set<Long> all, long number) {
            assertThat(all.add(number)).as("%d is new", number).isTrue();
        }
    }

    @Test
    void aLiarMakesNobodyElsesIdsRepeat() throws Exception {
        Long repeated = Long.getLong("snowcast.seed");
        long seed = repeated == null ? new Random().nextInt(1 << 30) : repeated;
        System.out.println("repeat with -Dsnowcast.seed=" + seed);
        Random random = new Random(seed);
        HazelcastInstance member = newMember();
        HazelcastInstance crashing = newMember();
        newMember();
        clusterId = Accessors.getNodeEngineImpl(member).getClusterService().getClusterId();
        List<Honest> honest = List.of(new Honest(member), new Honest(factory.newHazelcastClient()));
        HazelcastClientInstanceImpl liar = ((HazelcastClientProxy) factory.newHazelcastClient()).client;
        Forger forger = new Forger(
                random,
                DEFAULTS,
                Map.of(ORDERS, new Definition(EPOCH, SnowcastLayout.DEFAULT, 1)),
                Map.of(NUMBERS, new PoolDefinition(1, Integer.MAX_VALUE, 1, false)),
                false);
        int answered = 0;
        for (int request = 0; request < REQUESTS; request++) {
            if (request == REQUESTS / 2) {
                crashing.getLifecycleService().terminate();
            }
            Forged<?, ?> forged = forger.next(random, System.currentTimeMillis());
            CompletableFuture<ClientMessage> response = send(liar, forged);
            honest.forEach(each -> each.generate(forger));
            answered += hears(liar, forger, forged, response) ? 1 : 0;
        }

        for (Honest each : honest) {
            Await.until("an honest holder generates when the liar has stopped", () -> each.generate(forger));
        }
        System.out.println(answered + " requests of the liar were answered; the honest have " + ids.size() + " IDs and "
                + integers.size() + " integers");
        assertThat(answered).isGreaterThan(REQUESTS / 4);
        assertThat(ids).hasSizeGreaterThan(REQUESTS);
        assertThat(integers).hasSizeGreaterThan(REQUESTS);
    }

    private <Q> CompletableFuture<ClientMessage> send(HazelcastClientInstanceImpl liar, Forged<Q, ?> forged)
            throws IOException {
        try (BufferObjectDataOutput out = liar.getSerializationService().createObjectDataOutput()) {
            new ClientEnvelope<>(WireVersion.NEWEST, clusterId, forged.request())
                    .write(out, forged.call().request());
            byte[] header = new byte[ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES];
            ClientMessage message = ClientMessage.createForEncode();
            message.add(new ClientMessage.Frame(header, ClientMessage.UNFRAGMENTED_MESSAGE));
            message.setMessageType(forged.call().requestType());
            message.setPartitionId(-1);
            message.setOperationName("test");
            ByteArrayCodec.encode(message, out.toByteArray());
            return new ClientInvocation(liar, message, "test").invoke();
        }
    }

    /** Returns whether there is an answer; else it was refused. */
    private static <A> boolean hears(
            HazelcastClientInstanceImpl liar,
            Forger forger,
            Forged<?, A> forged,
            CompletableFuture<ClientMessage> response)
            throws Exception {
        try {
            ClientMessage.ForwardFrameIterator frames =
                    response.get(3, TimeUnit.MINUTES).frameIterator();
            frames.next();
            A answer = WireInput.read(
                            liar.getSerializationService().createObjectDataInput(ByteArrayCodec.decode(frames)),
                            "the answer",
                            ClientEnvelope.reader(forged.call().answer()))
                    .content();
            forger.hears(forged, answer);
            return true;
        } catch (ExecutionException e) {
            return false;
        }
    }
}
