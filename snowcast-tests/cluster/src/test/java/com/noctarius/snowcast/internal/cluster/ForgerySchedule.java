// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.cluster.Forger.Forged;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One random schedule of a {@link Forger}, of holders that are honest, and of owners that crash or lose what they knew.
 * What is checked:
 *
 * <ul>
 *   <li>no two honest holders can issue the same ID;
 *   <li>nothing is granted beyond what cluster time, skew, lease and a recovery allow;
 *   <li>a request is answered or refused, never anything else;
 *   <li>when the forger has stopped and all leases have run out, an honest holder can have every node ID.
 * </ul>
 */
final class ForgerySchedule {
    private static final long START = 1_700_000_000_000L;
    private static final long LEASE = 1_000;
    private static final long SKEW = 200;
    private static final long MAX_OWNER_OFFSET = 50;
    private static final long SETTLING = 10_000;
    private static final TableRules RULES =
            new TableRules(LEASE, SKEW, LEASE + 2 * SKEW + 2 * MAX_OWNER_OFFSET, 0, 8_191);
    private static final int STEPS = 400;
    private static final int SHOWN = 12;
    private static final String ORDERS = "orders";

    private final Random random;
    /** Then the tombstones are lost, too, and only one definition of a name is safe. */
    private final boolean losesAll;

    private final boolean definesAnew;
    private final HandDrivenPartition partition;
    private final HonestHolders orders;
    private final Map<String, Definition> definitions = new HashMap<>();
    private final Forger forger;
    private long nowMillis = START;
    private long ownerOffset;
    private long latestMillis = START;

    /** How many requests of the forger were answered. */
    int answered;

    /** What came of the requests of the forger: the call and the outcome, with how often. */
    final Map<String, Integer> outcomes = new TreeMap<>();

    ForgerySchedule(long seed, NodeEngineImpl nodeEngine) {
        random = new Random(seed);
        losesAll = random.nextBoolean();
        definesAnew = random.nextBoolean();
        partition = new HandDrivenPartition(nodeEngine, RULES, this::clusterMillis);
        List<Definition> honest = List.of(definition(0, 2, 1), definition(300, 1, 2));
        orders = new HonestHolders(ORDERS, partition, losesAll ? honest.subList(0, 1) : honest);
        definitions.put(ORDERS, orders.definition());
        forger = new Forger(random, RULES, definitions, definesAnew);
    }

    private static Definition definition(long epochShift, int nodeBits, int counterBits) {
        return new Definition(START - 100_000 + epochShift, new SnowcastLayout(41, nodeBits, counterBits), 1, null);
    }

    private long clusterMillis() {
        return nowMillis + ownerOffset;
    }

    int grants() {
        return orders.grants();
    }

    void run() {
        try {
            for (int step = 0; step < STEPS; step++) {
                nowMillis += random.nextInt(random.nextInt(30) == 0 ? 1_500 : 30);
                latestMillis = Math.max(latestMillis, clusterMillis());
                step();
                requireNothingBeyond();
            }
            requireThatItPasses();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "the last of what was asked:\n  "
                            + partition.trace(SHOWN).stream()
                                    .map(Object::toString)
                                    .collect(Collectors.joining("\n  ")),
                    e);
        }
    }

    private void step() {
        switch (random.nextInt(17)) {
            case 0 -> fault();
            case 1, 2, 3, 4, 5 -> unlessRefused(() -> forger.sees(orders.step(random, nowMillis, 3 * SKEW)));
            default -> {
                definitions.put(ORDERS, orders.definition());
                Forged<?, ?> forged = forger.next(random, nowMillis);
                unlessRefused(() -> send(forged));
            }
        }
    }

    private <Q, A> void send(Forged<Q, A> forged) {
        A answer;
        try {
            answer = partition.ask(forged.call(), forged.request());
        } catch (RuntimeException e) {
            count(forged, e.getClass().getSimpleName());
            throw e;
        }
        answered++;
        for (Object each : answer instanceof List<?> answers ? answers : List.of(answer)) {
            count(forged, meaning(each));
        }
        forger.hears(forged, answer);
        boolean isDestroyed = Boolean.TRUE.equals(answer);
        if (isDestroyed && forged.request() instanceof Destroyed life) {
            orders.destroyed(life.number(), random);
        }
    }

    private void count(Forged<?, ?> forged, String outcome) {
        outcomes.merge(forged.call().label() + ": " + outcome, 1, Integer::sum);
    }

    private static String meaning(Object answer) {
        if (answer instanceof ExtendReply reply) {
            return reply.outcome().name();
        }
        return answer.equals(Optional.empty()) || answer.equals(false) ? "in vain" : "done";
    }

    private void unlessRefused(Runnable asks) {
        try {
            asks.run();
        } catch (SnowcastException
                | IllegalArgumentException
                | RetryableHazelcastException
                | HazelcastSerializationException e) {
            // It is in the trace.
        }
    }

    private void fault() {
        int kind = random.nextInt(6);
        nowMillis += 2 * MAX_OWNER_OFFSET;
        ownerOffset = random.nextLong(MAX_OWNER_OFFSET);
        switch (kind) {
            case 0, 1 -> partition.promote(1);
            case 2 -> partition.promote(2);
            case 3 -> {
                if (losesAll) {
                    partition.lose();
                }
            }
            default -> {}
        }
        // What everybody sees: the present incarnation.
        forger.seesIncarnation(
                ORDERS,
                partition.owner().table(ORDERS).snapshotFor(0).lifecycle().incarnation());
    }

    private void requireNothingBeyond() {
        long beyond = partition.owner().usedUntilMillis(RULES) - (latestMillis + SKEW + LEASE + RULES.recoveryMillis());
        if (beyond > 0) {
            throw new AssertionError(beyond + " ms more are granted than can be");
        }
    }

    private void requireThatItPasses() {
        nowMillis = latestMillis + SKEW + LEASE + RULES.recoveryMillis();
        ownerOffset = 0;
        orders.endOtherIncarnation();
        nowMillis += SETTLING;
        try {
            orders.requireAllFree(random, nowMillis);
        } catch (SnowcastException e) {
            // Another definition's incarnation has used up the IDs, as it may.
            if (!definesAnew
                    || !String.valueOf(e.getMessage())
                            .contains(": the destroyed one of that name may have issued IDs")) {
                throw e;
            }
        }
    }
}
