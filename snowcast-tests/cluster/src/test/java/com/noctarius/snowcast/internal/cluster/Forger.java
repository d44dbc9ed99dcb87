// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static java.util.Objects.requireNonNull;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed.Kind;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.store.Block;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * A client that lies. It makes requests like true ones, of what it was answered and of what everybody can see: node IDs
 * and integers of others, the incarnations of names, the time. In each request about one value in four is a lie. What
 * it never has is the identity of another holder, which is secret; and it does not say where a lost integer sequence
 * goes on, with which every client is trusted.
 */
final class Forger {
    private static final int HOLDERS = 3;
    private static final int REMEMBERED = 60;

    /** The last one is in the year 37702. */
    private static final long[] EXTREMES = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 41, 1_127_539_200_000_000L};

    private final Map<String, Definition> definitions;
    private final Map<String, PoolDefinition> pools;
    private final List<UUID> holders = new ArrayList<>();
    private final long[] distances;

    private final Map<String, Long> incarnations = new HashMap<>();
    private final List<Held> held = new ArrayList<>();
    private final List<Got> got = new ArrayList<>();
    private final List<Forged<?, ?>> sent = new ArrayList<>();
    private final List<Long> seen = new ArrayList<>();

    /** For the next request. */
    private Random random;

    private long nowMillis;
    private long requestNumber;
    /** Whether it also creates names with definitions that are not those of the honest. */
    private final boolean definesAnew;

    /** A request that lies, or not. */
    record Forged<Q, A>(RequestType<Q, A> call, Q request) {}

    private record Held(String name, Definition definition, Grant grant, long ceiling) {}

    private record Got(String name, Reservation reservation, UUID holder, Block block) {}

    Forger(
            Random random,
            TableRules rules,
            Map<String, Definition> definitions,
            Map<String, PoolDefinition> pools,
            boolean definesAnew) {
        this.random = random;
        this.definitions = definitions;
        this.pools = pools;
        this.definesAnew = definesAnew;
        for (int i = 0; i < HOLDERS; i++) {
            holders.add(new UUID(random.nextLong(), random.nextLong()));
        }
        long skew = rules.maxSkewMillis();
        long lease = rules.leaseMillis();
        distances = LongStream.of(
                        1, skew, lease, skew + lease, rules.recoveryMillis(), skew + lease + rules.recoveryMillis())
                .flatMap(distance -> LongStream.of(distance - 1, distance, distance + 1, -distance))
                .toArray();
    }

    /** Returns what it sends next. */
    Forged<?, ?> next(Random drawn, long now) {
        random = drawn;
        nowMillis = now;
        if (!sent.isEmpty() && oneIn(8)) {
            return pick(sent);
        }
        Forged<?, ?> forged = switch (random.nextInt(18)) {
            case 0, 1, 2, 3 -> new Forged<>(RequestType.ATTACH, attach());
            case 4, 5, 6, 7 -> new Forged<>(RequestType.EXTEND, List.of(extend(), extend()));
            case 8, 9, 10 -> new Forged<>(RequestType.DETACH, List.of(detach(), detach()));
            case 11 -> new Forged<>(RequestType.DESTROY, life());
            case 12, 13 -> new Forged<>(RequestType.GIVE_BACK, giveBack());
            default -> new Forged<>(RequestType.RESERVE, reserve());
        };
        remember(sent, forged);
        return forged;
    }

    // --- what it knows

    /** Anybody sees this number: in an ID, a message, a clock. */
    void sees(long number) {
        remember(seen, number);
    }

    void seesIncarnation(String name, long incarnation) {
        incarnations.merge(name, incarnation, Math::max);
        sees(incarnation);
    }

    /** Learns from the answer to a request. */
    void hears(Forged<?, ?> forged, Object answer) {
        Object value = answer instanceof Optional<?> optional ? optional.orElse(null) : answer;
        if (forged.request() instanceof AttachRequest request && value instanceof Grant grant) {
            seesIncarnation(request.name(), grant.incarnation());
            remember(held, new Held(request.name(), request.definition(), grant, grant.ceiling()));
        } else if (forged.request() instanceof ReserveRequest request && value instanceof Reservation reservation) {
            seesIncarnation(request.name(), reservation.incarnation());
            Block block = reservation.block();
            if (block != null) {
                sees(block.last());
                remember(got, new Got(request.name(), reservation, request.holder(), block));
            }
        } else if (forged.request() instanceof List<?> requests && value instanceof List<?> replies) {
            for (int i = 0; i < replies.size(); i++) {
                if (requests.get(i) instanceof ExtendRequest request
                        && replies.get(i) instanceof ExtendReply reply
                        && reply.outcome() == ExtendReply.Outcome.EXTENDED) {
                    remember(held, held(request, reply.ceiling()));
                }
            }
        }
    }

    private static Held held(ExtendRequest request, long ceiling) {
        Grant grant = new Grant(request.incarnation(), request.logicalNodeId(), request.token(), 0, ceiling, 0);
        return new Held(request.name(), request.definition(), grant, ceiling);
    }

    private static <T> void remember(List<T> items, T item) {
        items.add(item);
        if (items.size() > REMEMBERED) {
            items.remove(0);
        }
    }

    // --- how it lies

    private boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    private <T> T pick(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }

    private <T> T pick(Map<T, ?> items) {
        return pick(items.keySet().stream().sorted().toList());
    }

    private long maybe(long truth) {
        return oneIn(4) ? lie(truth) : truth;
    }

    private long lie(long truth) {
        return switch (random.nextInt(6)) {
            case 0 -> EXTREMES[random.nextInt(EXTREMES.length)];
            case 1 -> truth + distance();
            case 2 -> truth + random.nextInt(21) - 10;
            case 3 -> nowMillis + distance();
            case 4 -> seen.isEmpty() ? truth : pick(seen);
            default -> random.nextLong() >>> random.nextInt(Long.SIZE);
        };
    }

    private long distance() {
        return distances[random.nextInt(distances.length)];
    }

    private UUID holder() {
        return oneIn(20) ? new UUID(random.nextLong(), random.nextLong()) : pick(holders);
    }

    private long incarnation(String name) {
        return maybe(oneIn(3) ? 0 : incarnations.getOrDefault(name, 0L));
    }

    private Definition definition(String name) {
        Definition honest = requireNonNull(definitions.get(name));
        if (!definesAnew || !oneIn(6)) {
            return honest;
        }
        SnowcastLayout layout = oneIn(2)
                ? honest.layout()
                : new SnowcastLayout(30 + random.nextInt(13), 1 + random.nextInt(4), random.nextInt(4));
        long epochOffset = oneIn(4) ? nowMillis - layout.maxTimestamp() + distance() : maybe(honest.epochOffset());
        return new Definition(epochOffset, layout, random.nextInt(3), null);
    }

    private PoolDefinition definition(PoolDefinition honest) {
        return definesAnew && oneIn(8)
                ? new PoolDefinition(honest.firstValue(), honest.lastValue(), random.nextInt(3), false)
                : honest;
    }

    // --- its requests

    private AttachRequest attach() {
        String name = pick(definitions);
        Definition definition = definition(name);
        return new AttachRequest(
                name,
                definition,
                incarnation(name),
                holder(),
                maybe(++requestNumber),
                maybe(nowMillis),
                maybe(0),
                maybe(nowMillis - definition.epochOffset()));
    }

    private Held grant() {
        String name = pick(definitions);
        long idTime = nowMillis - requireNonNull(definitions.get(name)).epochOffset();
        return held.isEmpty() || oneIn(3)
                ? new Held(name, definition(name), new Grant(incarnation(name), 0, token(), 0, idTime, 0), idTime)
                : pick(held);
    }

    private Token token() {
        return new Token(random.nextLong(), random.nextInt(10), holder());
    }

    private Token token(Held of) {
        Token own = of.grant.token();
        return new Token(maybe(own.tableEpoch()), maybe(own.sequence()), oneIn(6) ? holder() : own.holder());
    }

    private int node(Held of) {
        int count = of.definition.layout().logicalNodeCount();
        return oneIn(2) ? random.nextInt(oneIn(8) ? 2 * count : count) : of.grant.logicalNodeId();
    }

    private ExtendRequest extend() {
        Held of = grant();
        long idTime = nowMillis - of.definition.epochOffset();
        return new ExtendRequest(
                of.name,
                oneIn(4) ? definition(of.name) : of.definition,
                maybe(of.grant.incarnation()),
                node(of),
                oneIn(2) ? of.grant.token() : token(of),
                oneIn(2) ? idTime + distance() : maybe(of.ceiling),
                maybe(idTime),
                maybe(0));
    }

    private DetachRequest detach() {
        Held of = grant();
        Token token = oneIn(2) ? of.grant.token() : token(of);
        return new DetachRequest(of.name, node(of), token, maybe(nowMillis - of.definition.epochOffset()));
    }

    private Destroyed life() {
        String name = oneIn(2) ? pick(definitions) : pick(pools);
        return new Destroyed(oneIn(2) ? Kind.SEQUENCER : Kind.INTEGER_SEQUENCE, name, incarnation(name));
    }

    private ReserveRequest reserve() {
        String name = pick(pools);
        PoolDefinition definition = definition(requireNonNull(pools.get(name)));
        return new ReserveRequest(
                name,
                definition,
                incarnation(name),
                holder(),
                maybe(++requestNumber),
                oneIn(6) ? 0 : maybe(1 + random.nextInt(10)),
                oneIn(20) ? definition.lastValue() - random.nextInt(20) : maybe(-1),
                null);
    }

    private GiveBackRequest giveBack() {
        Got of = got.isEmpty() ? null : oneIn(2) ? got.get(got.size() - 1) : pick(got);
        if (of == null) {
            return new GiveBackRequest(pick(pools), nowMillis, holder(), Block.of(1, 10), 1);
        }
        long last = Math.max(0, oneIn(6) ? lie(of.block.last()) : of.block.last());
        long first = Math.max(0, Math.min(last, oneIn(2) ? lie(of.block.first()) : of.block.first()));
        return new GiveBackRequest(
                of.name,
                maybe(of.reservation.incarnation()),
                oneIn(6) ? holder() : of.holder,
                last - first == Long.MAX_VALUE ? of.block : Block.of(first, last),
                oneIn(6) ? lie(of.reservation.version()) : of.reservation.version());
    }
}
