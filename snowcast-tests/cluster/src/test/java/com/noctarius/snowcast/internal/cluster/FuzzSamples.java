// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.generator.Guard;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Creates valid requests for names that no honest user has. Many of these requests repeat values from former answers
 * (incarnations, tokens), so that members do not refuse the requests at once.
 */
final class FuzzSamples {
    private static final int NAMES = 40;
    private static final int HOLDERS = 50;
    private static final int FULL_BATCHES_ONE_IN = 50;
    private static final Definition DEFINITION = new Definition(0, SnowcastLayout.DEFAULT, 1, null);
    private static final Definition NODE_LEASE = new Definition(0, Guard.LAYOUT, 1, null, 32);

    private final Random random;
    private final Map<String, Grant> grants = new HashMap<>();
    private final Map<RequestType<?, ?>, Supplier<?>> requests;
    private long requestNumber;

    FuzzSamples(Random random) {
        this.random = random;
        this.requests = Map.ofEntries(
                Map.entry(RequestType.ATTACH, this::attach),
                Map.entry(RequestType.DETACH, () -> batchOf(this::detach)),
                Map.entry(RequestType.RENEW, () -> batchOf(this::renew)),
                Map.entry(RequestType.DESTROY, this::incarnation),
                Map.entry(RequestType.LISTEN, random::nextBoolean),
                Map.entry(RequestType.CLUSTER_STATUS, () -> RequestType.Nothing.NOTHING),
                Map.entry(RequestType.COUNT, () -> batchOf(this::newName)));
    }

    @SuppressWarnings("unchecked") // The call determines the type.
    <Q> Q request(RequestType<Q, ?> call) {
        return (Q) Objects.requireNonNull(requests.get(call)).get();
    }

    void remember(Object request, Object answer) {
        if (request instanceof AttachRequest attach && answer instanceof Optional<?> grant) {
            grant.ifPresent(given -> grants.put(attach.name(), (Grant) given));
        }
    }

    private String newName() {
        return "fuzz-" + random.nextInt(NAMES);
    }

    private static Definition definitionOf(String name) {
        return name.hashCode() % 4 == 0 ? NODE_LEASE : DEFINITION;
    }

    private UUID holder() {
        return new UUID(0, random.nextInt(HOLDERS));
    }

    private Token token() {
        return new Token(random.nextLong(), random.nextInt(100), holder());
    }

    private <E> List<E> batchOf(Supplier<E> each) {
        int count = random.nextInt(FULL_BATCHES_ONE_IN) == 0 ? RequestType.MAX_BATCH_SIZE : random.nextInt(5);
        return Stream.generate(each).limit(count).toList();
    }

    private AttachRequest attach() {
        String name = newName();
        return new AttachRequest(
                name,
                definitionOf(name),
                random.nextBoolean() ? 0 : grantOf(name).incarnation(),
                holder(),
                ++requestNumber,
                System.currentTimeMillis(),
                random.nextInt(3) * 60_000L,
                -1);
    }

    /** Returns the last grant of a name. If the name has none, returns an invented grant. */
    private Grant grantOf(String name) {
        Grant made = new Grant(random.nextInt(3), random.nextInt(8_192), token(), 0, 0, 0);
        return grants.getOrDefault(name, made);
    }

    private RenewRequest renew() {
        String name = newName();
        Grant grant = grantOf(name);
        return new RenewRequest(
                name,
                definitionOf(name),
                grant.incarnation(),
                grant.logicalNodeId(),
                grant.token(),
                grant.ceiling(),
                System.currentTimeMillis(),
                0);
    }

    private DetachRequest detach() {
        String name = newName();
        Grant grant = grantOf(name);
        return new DetachRequest(name, grant.logicalNodeId(), grant.token(), grant.floor() + random.nextInt(100));
    }

    private Destroyed incarnation() {
        String name = newName();
        return new Destroyed(name, grantOf(name).incarnation());
    }
}
