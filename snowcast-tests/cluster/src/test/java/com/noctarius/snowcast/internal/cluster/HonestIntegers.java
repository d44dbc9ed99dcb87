// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed.Kind;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Users that draw from an integer sequence as they should: no two of them may be given the same integer. */
final class HonestIntegers {
    private static final int COUNT = 3;

    private final String name;
    private final HandDrivenPartition partition;
    private final PoolDefinition definition;
    private final List<User> users = new ArrayList<>();
    private final List<Block> used = new ArrayList<>();

    private static final class User {
        final UUID id;
        long incarnation;
        long requestNumber;
        long highestGiven = -1;
        long version;

        @Nullable
        Block last;

        User(UUID id) {
            this.id = id;
        }
    }

    HonestIntegers(String name, HandDrivenPartition partition, PoolDefinition definition) {
        this.name = name;
        this.partition = partition;
        this.definition = definition;
    }

    int blocks() {
        return used.size();
    }

    /** Has one of them do something; returns an integer that was handed out, which everybody can see. */
    long step(Random random, long nowMillis) {
        if (users.size() < COUNT || random.nextInt(30) == 0) {
            users.add(new User(new UUID(random.nextLong(), random.nextLong())));
        }
        if (users.size() > COUNT) {
            users.remove(0); // It died.
        }
        User user = users.get(random.nextInt(users.size()));
        if (user.last != null && random.nextInt(4) == 0) {
            giveBack(user, user.last, random);
        } else if (user.incarnation != 0 && random.nextInt(40) == 0) {
            partition.ask(RequestType.DESTROY, new Destroyed(Kind.INTEGER_SEQUENCE, name, user.incarnation));
        } else {
            reserve(user, 1 + random.nextInt(10), nowMillis);
        }
        return user.highestGiven;
    }

    /** Returns whether it was given a block. */
    private boolean reserve(User user, long size, long nowMillis) {
        try {
            return reserve(user, size, null) != null;
        } catch (IntegerSequenceAlreadyRegisteredException e) {
            operatorDestroys();
        } catch (BlockStoreException e) {
            user.incarnation = 0; // The cluster does not know it: created again.
        } catch (SnowcastIllegalStateException e) {
            // Lost: an operator looks up what is in use.
            long above = used.stream().mapToLong(Block::last).max().orElse(definition.firstValue()) + 1;
            reserve(user, 0, new ReserveRequest.AfterLoss(above, nowMillis));
        }
        return false;
    }

    private @Nullable Block reserve(User user, long size, ReserveRequest.@Nullable AfterLoss afterLoss) {
        Reservation reservation = partition
                .ask(
                        RequestType.RESERVE,
                        new ReserveRequest(
                                name,
                                definition,
                                afterLoss == null ? user.incarnation : 0,
                                user.id,
                                ++user.requestNumber,
                                size,
                                user.highestGiven,
                                afterLoss))
                .orElse(null);
        if (reservation == null) {
            users.remove(user); // Destroyed: the user makes a new object.
            return null;
        }
        user.incarnation = reservation.incarnation();
        user.version = reservation.version();
        Block block = reservation.block();
        if (block != null) {
            user.last = block;
            user.highestGiven = Math.max(user.highestGiven, block.last());
            check(block);
            used.add(block);
        }
        return block;
    }

    private void giveBack(User user, Block block, Random random) {
        long kept = random.nextLong(block.count());
        user.last = null;
        used.remove(block);
        if (kept > 0) {
            used.add(block.part(0, kept));
        }
        user.version = partition.ask(
                RequestType.GIVE_BACK,
                new GiveBackRequest(name, user.incarnation, user.id, block.part(kept, block.count()), user.version));
    }

    private void operatorDestroys() {
        long incarnation =
                partition.owner().pool(name).snapshotFor(0).lifecycle().incarnation();
        partition.ask(RequestType.DESTROY, new Destroyed(Kind.INTEGER_SEQUENCE, name, incarnation));
    }

    private void check(Block given) {
        for (Block other : used) {
            if (given.first() <= other.last() && other.first() <= given.last()) {
                throw new AssertionError("the same integers twice: " + given + " and " + other);
            }
        }
    }

    /**
     * Requires that somebody new is given integers, if need be after an operator has done what the refusals ask for.
     */
    void requireServed(long nowMillis) {
        User user = new User(new UUID(0, 0));
        for (int i = 0; !reserve(user, 1, nowMillis); i++) {
            if (i == 5) {
                throw new AssertionError("nobody is given integers of " + name + " any more");
            }
        }
    }
}
