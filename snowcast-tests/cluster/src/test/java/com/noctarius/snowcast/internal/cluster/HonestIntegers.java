// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.internal.integers.GiveBackRequest;
import com.noctarius.snowcast.internal.integers.PoolDefinition;
import com.noctarius.snowcast.internal.integers.Reservation;
import com.noctarius.snowcast.internal.integers.ReserveRequest;
import com.noctarius.snowcast.internal.wire.Call;
import com.noctarius.snowcast.internal.wire.Life;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Processes that draw from an integer sequence as they should: no two of them may be given the same integer. */
final class HonestIntegers {
    private static final int COUNT = 3;
    private static final int RANGE_SIZE = 50;

    private final String name;
    private final HandDrivenPartition partition;
    private final PoolDefinition definition;
    private final List<Process> processes = new ArrayList<>();
    private final List<Block> used = new ArrayList<>();
    private long parentsNext = 1;

    private static final class Process {
        final UUID id;
        long incarnation;
        long requestNumber;
        long highestGiven = -1;
        long installs;
        long version;

        @Nullable
        Block last;

        Process(UUID id) {
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
        if (processes.size() < COUNT || random.nextInt(30) == 0) {
            processes.add(new Process(new UUID(random.nextLong(), random.nextLong())));
        }
        if (processes.size() > COUNT) {
            processes.remove(0); // It died.
        }
        Process process = processes.get(random.nextInt(processes.size()));
        if (process.last != null && random.nextInt(4) == 0) {
            giveBack(process, process.last, random);
        } else if (process.incarnation != 0 && random.nextInt(40) == 0) {
            partition.ask(Call.DESTROY_INTEGERS, new Life(name, process.incarnation));
        } else {
            reserve(process, 1 + random.nextInt(10), nowMillis);
        }
        return process.highestGiven;
    }

    /** Returns whether it was given a block. */
    private boolean reserve(Process process, long size, long nowMillis) {
        try {
            Block block = reserve(process, size, null, null);
            if (block == null && definition.hasParent() && process.incarnation != 0) {
                Block range = Block.of(parentsNext, parentsNext + RANGE_SIZE - 1);
                parentsNext += RANGE_SIZE;
                block = reserve(process, size, range, null);
            }
            return block != null;
        } catch (IntegerSequenceAlreadyRegisteredException e) {
            operatorDestroys();
        } catch (BlockStoreException e) {
            process.incarnation = 0; // The cluster does not know it: created again.
        } catch (SnowcastIllegalStateException e) {
            // Lost: an operator looks up what is in use.
            long above = used.stream().mapToLong(Block::last).max().orElse(definition.firstValue()) + 1;
            reserve(process, 0, null, new ReserveRequest.AfterLoss(above, nowMillis));
        }
        return false;
    }

    private @Nullable Block reserve(
            Process process, long size, @Nullable Block range, ReserveRequest.@Nullable AfterLoss afterLoss) {
        Reservation reservation = partition
                .ask(
                        Call.RESERVE,
                        new ReserveRequest(
                                name,
                                definition,
                                afterLoss == null ? process.incarnation : 0,
                                process.id,
                                ++process.requestNumber,
                                size,
                                process.highestGiven,
                                process.installs,
                                range,
                                afterLoss))
                .orElse(null);
        if (reservation == null) {
            processes.remove(process); // Destroyed: the process makes a new object.
            return null;
        }
        process.incarnation = reservation.incarnation();
        process.installs = reservation.installs();
        process.version = reservation.version();
        Block block = reservation.block();
        if (block != null) {
            process.last = block;
            process.highestGiven = Math.max(process.highestGiven, block.last());
            check(block);
            used.add(block);
        }
        return block;
    }

    private void giveBack(Process process, Block block, Random random) {
        long kept = random.nextLong(block.count());
        process.last = null;
        used.remove(block);
        if (kept > 0) {
            used.add(block.part(0, kept));
        }
        process.version = partition.ask(
                Call.GIVE_BACK,
                new GiveBackRequest(
                        name, process.incarnation, process.id, block.part(kept, block.count()), process.version));
    }

    private void operatorDestroys() {
        long incarnation =
                partition.owner().pools().pool(name).snapshotFor(0).lifecycle().incarnation();
        partition.ask(Call.DESTROY_INTEGERS, new Life(name, incarnation));
    }

    private void check(Block given) {
        for (Block other : used) {
            if (given.first() <= other.last() && other.first() <= given.last()) {
                throw new AssertionError("the same integers twice: " + given + " and " + other);
            }
        }
    }

    /** Requires that somebody new is given integers, if need be after an operator has done what the refusals ask for. */
    void requireServed(long nowMillis) {
        Process process = new Process(new UUID(0, 0));
        for (int i = 0; !reserve(process, 1, nowMillis); i++) {
            if (i == 5) {
                throw new AssertionError("nobody is given integers of " + name + " any more");
            }
        }
    }
}
