// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static java.util.Objects.requireNonNull;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
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
 * of others, the incarnations of names, the time. In each request about one value in four is a lie. What it never has
 * is the identity of another holder, which is secret.
 */
final class Forger {
    private static final int HOLDERS = 3;
    private static final int REMEMBERED = 60;

    /** The last one is in the year 37702. */
    private static final long[] EXTREMES = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 41, 1_127_539_200_000_000L};

    private final Map<String, Definition> definitions;
    private final List<UUID> holders = new ArrayList<>();
    private final long[] distances;

    private final Map<String, Long> incarnations = new HashMap<>();
    private final List<Held> held = new ArrayList<>();
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

    Forger(Random random, TableRules rules, Map<String, Definition> definitions, boolean definesAnew) {
        this.random = random;
        this.definitions = definitions;
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
        Forged<?, ?> forged = switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> new Forged<>(RequestType.ATTACH, attach());
            case 4, 5, 6, 7 -> new Forged<>(RequestType.EXTEND, List.of(extend(), extend()));
            case 8, 9, 10 -> new Forged<>(RequestType.DETACH, List.of(detach(), detach()));
            default -> new Forged<>(RequestType.DESTROY, life());
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
        String name = pick(definitions);
        return new Destroyed(name, incarnation(name));
    }
}
