// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of requests by a client that lies, in time that is driven by hand: see {@link ForgerySchedule}. One
 * that failed is repeated with {@code -Dsnowcast.seed=}, which is in the message.
 */
@Tag("integration")
class ForgeryTest {
    private static final int ROUNDS = 300;

    /** How each kind of request must have been refused at least once; "in vain" is an answer that changes nothing. */
    private static final String[] REFUSALS = {
        "ATTACH: HazelcastSerializationException",
        "ATTACH: IllegalArgumentException",
        "ATTACH: SnowcastIllegalStateException",
        "ATTACH: SnowcastNodeIdsExceededException",
        "ATTACH: SnowcastSequencerAlreadyRegisteredException",
        "ATTACH: SnowcastStateException",
        "ATTACH: SnowcastUnavailableException",
        "ATTACH: in vain",
        "EXTEND: HazelcastSerializationException",
        "EXTEND: DESTROYED",
        "EXTEND: REFUSED",
        "DETACH: in vain",
        "DESTROY: in vain"
    };

    private final TestHazelcastFactory factory = new TestHazelcastFactory();
    private NodeEngineImpl nodeEngine;

    @BeforeEach
    void start() {
        Config config = new Config();
        config.getJetConfig().setEnabled(false);
        nodeEngine = Accessors.getNodeEngineImpl(factory.newHazelcastInstance(config));
    }

    @AfterEach
    void stop() {
        factory.terminateAll();
    }

    @Test
    void aLiarMakesNobodyElsesIdsRepeatAndStopsNobodyForLong() {
        run(1, seed -> seed <= ROUNDS);
    }

    @Test
    @Tag("soak")
    void aLiarMakesNobodyElsesIdsRepeatForLong() {
        long endNanos = System.nanoTime()
                + Duration.ofMinutes(Long.getLong("minutes", 10)).toNanos() / 5;
        run(new Random().nextInt(1 << 30), seed -> endNanos - System.nanoTime() > 0);
    }

    /** Else a replica that is sent no grants, and goes on as the owner, would not know that it lacks some. */
    @Test
    void allReplicasKnowANameThatIsTakenOverAfterALoss() {
        TableRules rules = new TableRules(1_000, 100, 1_200, 0, 8_191);
        AtomicLong nowMillis = new AtomicLong(1_700_000_000_000L);
        HandDrivenPartition partition = new HandDrivenPartition(nodeEngine, rules, nowMillis::get);
        Definition definition = new Definition(0, SnowcastLayout.DEFAULT, 1, null);
        partition.lose();
        Token token = new Token(1, 2, UUID.randomUUID());
        nowMillis.addAndGet(1_000);
        long now = nowMillis.get();
        ExtendReply reply = partition
                .ask(
                        RequestType.EXTEND,
                        List.of(new ExtendRequest("orders", definition, 1, 0, token, now + 500, now, 0)))
                .get(0);
        assertThat(reply.ceiling()).isEqualTo(now + 1_000);

        partition.promote(2);
        nowMillis.addAndGet(500);
        assertThatThrownBy(() -> partition.ask(
                        RequestType.ATTACH,
                        new AttachRequest("orders", definition, 0, UUID.randomUUID(), 1, now + 500, 0, -1)))
                .isInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageEndingWith("no holder can be attached before " + Instant.ofEpochMilli(now + 1_200));
    }

    private void run(long first, LongPredicate goesOn) {
        Long repeated = Long.getLong("snowcast.seed");
        long seed = repeated == null ? first : repeated;
        long from = seed;
        long grants = 0;
        long answered = 0;
        Map<String, Integer> outcomes = new TreeMap<>();
        for (; repeated == null ? goesOn.test(seed) : seed == from; seed++) {
            ForgerySchedule schedule = new ForgerySchedule(seed, nodeEngine);
            try {
                schedule.run();
            } catch (AssertionError e) {
                throw new AssertionError("repeat with -Dsnowcast.seed=" + seed + "; " + e.getMessage(), e.getCause());
            }
            grants += schedule.grants();
            answered += schedule.answered;
            schedule.outcomes.forEach((outcome, count) -> outcomes.merge(outcome, count, Integer::sum));
        }
        long rounds = seed - from;
        System.out.println("seeds from " + from + ", " + rounds + " schedules: " + grants + " grants of the honest, "
                + answered + " answers to the liar, " + outcomes);
        if (repeated == null) {
            assertThat(grants).isGreaterThan(10 * rounds);
            assertThat(answered).isGreaterThan(50 * rounds);
            assertThat(outcomes).containsKeys(REFUSALS);
        }
    }
}
