// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Holders of a sequencer that keep to the protocol: no two of them may be able to issue the same ID. */
final class HonestHolders {
    private static final int COUNT = 4;

    private final String name;
    private final HandDrivenPartition partition;
    private final List<Definition> definitions;
    private final List<Holder> holders = new ArrayList<>();
    private final List<Use> uses = new ArrayList<>();
    /** What the next incarnation is created with, or the present one was. */
    private Definition definition;

    /** The timestamps that a holder may use, as far as it was told. */
    private static final class Use {
        final Definition definition;
        final Grant grant;
        long ceiling;
        long last;
        boolean sealed;

        Use(Definition definition, Grant grant) {
            this.definition = definition;
            this.grant = grant;
            this.ceiling = grant.ceiling();
            this.last = grant.floor() - 1;
        }

        private long end() {
            return sealed ? last + 1 : ceiling;
        }

        private long firstId() {
            return definition.layout().compose(grant.floor(), grant.logicalNodeId(), 0);
        }

        private long lastId() {
            SnowcastLayout layout = definition.layout();
            return layout.compose(end() - 1, grant.logicalNodeId(), layout.idsPerMillisecond() - 1);
        }

        boolean sharesAnIdWith(Use other) {
            if (grant.floor() >= end() || other.grant.floor() >= other.end()) {
                return false;
            }
            if (definition.equals(other.definition)) {
                return grant.logicalNodeId() == other.grant.logicalNodeId()
                        && grant.floor() < other.end()
                        && other.grant.floor() < end();
            }
            return Long.compareUnsigned(firstId(), other.lastId()) <= 0
                    && Long.compareUnsigned(other.firstId(), lastId()) <= 0;
        }

        @Override
        public String toString() {
            return definition + " " + grant + " up to " + (end() - 1);
        }
    }

    private static final class Holder {
        final UUID id;
        final long clockOffset;
        long incarnation;
        long requestNumber;
        long lastMillis = -1;

        @Nullable
        Use use;

        Holder(UUID id, long clockOffset) {
            this.id = id;
            this.clockOffset = clockOffset;
        }
    }

    HonestHolders(String name, HandDrivenPartition partition, List<Definition> definitions) {
        this.name = name;
        this.partition = partition;
        this.definitions = definitions;
        this.definition = definitions.get(0);
    }

    Definition definition() {
        return definition;
    }

    int grants() {
        return uses.size();
    }

    /** Has one of them do something; returns the ID time it has come to, which its IDs show. */
    long step(Random random, long nowMillis, long maxOffset) {
        if (holders.size() < COUNT || random.nextInt(40) == 0) {
            long offset = random.nextInt(3) == 0 ? random.nextLong(-maxOffset, maxOffset) : 0;
            holders.add(new Holder(new UUID(random.nextLong(), random.nextLong()), offset));
        }
        if (holders.size() > COUNT) {
            holders.remove(0); // It died.
        }
        Holder holder = holders.get(random.nextInt(holders.size()));
        Use use = holder.use;
        if (use == null || use.sealed) {
            attach(holder, nowMillis + holder.clockOffset, random);
        } else if (random.nextInt(5) == 0) {
            seal(holder, use, random);
            giveBack(use);
        } else if (random.nextInt(25) == 0) {
            partition.ask(RequestType.DESTROY, new Destroyed(name, holder.incarnation));
            destroyed(holder.incarnation, random);
        } else {
            extend(holder, use, nowMillis + holder.clockOffset, random);
        }
        return holder.use == null ? 0 : holder.use.last;
    }

    private void attach(Holder holder, long clock, Random random) {
        Definition present = partition.owner().table(name).definition();
        if (present == null) {
            definition = definitions.get(random.nextInt(definitions.size()));
        }
        AttachRequest request = new AttachRequest(
                name, definition, holder.incarnation, holder.id, ++holder.requestNumber, clock, 0, holder.lastMillis);
        try {
            Grant grant = partition.ask(RequestType.ATTACH, request).orElse(null);
            holder.incarnation = grant == null ? 0 : grant.incarnation();
            holder.use = grant == null ? null : new Use(definition, grant);
            if (holder.use != null) {
                uses.add(holder.use);
                check(holder.use);
            }
        } catch (SnowcastSequencerAlreadyRegisteredException e) {
            operatorDestroys();
        }
    }

    /** Somebody has created it with another definition. */
    private void operatorDestroys() {
        long incarnation =
                partition.owner().table(name).snapshotFor(0).lifecycle().incarnation();
        partition.ask(RequestType.DESTROY, new Destroyed(name, incarnation));
    }

    private void extend(Holder holder, Use use, long clock, Random random) {
        use.last = random.nextLong(use.last, Math.max(use.last + 1, use.ceiling));
        ExtendReply reply = partition
                .ask(
                        RequestType.EXTEND,
                        List.of(new ExtendRequest(
                                name,
                                use.definition,
                                use.grant.incarnation(),
                                use.grant.logicalNodeId(),
                                use.grant.token(),
                                use.ceiling,
                                clock - use.definition.epochOffset(),
                                0)))
                .get(0);
        if (reply.outcome() == ExtendReply.Outcome.EXTENDED) {
            use.ceiling = Math.max(use.ceiling, reply.ceiling());
            check(use);
            return;
        }
        seal(holder, use, random);
        if (reply.outcome() == ExtendReply.Outcome.DESTROYED) {
            giveBack(use);
            holder.incarnation = 0;
        }
    }

    private static void seal(Holder holder, Use use, Random random) {
        use.last = random.nextLong(use.last, Math.max(use.last + 1, use.ceiling));
        use.sealed = true;
        holder.lastMillis = Math.max(holder.lastMillis, use.last);
    }

    private void giveBack(Use use) {
        partition.ask(
                RequestType.DETACH,
                List.of(new DetachRequest(name, use.grant.logicalNodeId(), use.grant.token(), use.last)));
    }

    /** An incarnation was destroyed, by whomever: most of its holders hear of it. */
    void destroyed(long incarnation, Random random) {
        for (Holder holder : holders) {
            Use use = holder.use;
            if (use != null && !use.sealed && use.grant.incarnation() == incarnation && random.nextInt(4) != 0) {
                seal(holder, use, random);
                giveBack(use);
                holder.incarnation = 0;
                holder.lastMillis = -1;
            }
        }
    }

    private void check(Use changed) {
        for (Use other : uses) {
            if (other != changed && changed.sharesAnIdWith(other)) {
                throw new AssertionError("the same IDs twice: " + changed + "\nand " + other);
            }
        }
    }

    /** Ends an incarnation that somebody has begun with another definition. */
    void endOtherIncarnation() {
        Definition present = partition.owner().table(name).definition();
        if (present != null && !present.equals(definition)) {
            operatorDestroys();
        }
    }

    /** Requires that every node ID of the sequencer can be had. */
    void requireAllFree(Random random, long nowMillis) {
        long nodes = definition.layout().logicalNodeCount();
        long attached = random.longs(nodes)
                .mapToObj(number -> partition.ask(
                        RequestType.ATTACH,
                        new AttachRequest(name, definition, 0, new UUID(number, 0), 1, nowMillis, 0, -1)))
                .map(grant -> grant.orElseThrow().logicalNodeId())
                .distinct()
                .count();
        if (attached != nodes) {
            throw new AssertionError("only " + attached + " of " + nodes + " node IDs are free");
        }
    }
}
