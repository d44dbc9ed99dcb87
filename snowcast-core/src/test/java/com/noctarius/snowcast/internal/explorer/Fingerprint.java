// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Reduces a state to 128 bits, so that states that differ in names only are equal.
 *
 * <p>It removes two kinds of names. The holders are alike, so a state equals the state with swapped holders. Only the
 * order of change numbers matters, so a rank replaces each number among the numbers that the table compares it with:
 * the versions of one node ID, the tokens, and the numbers of whole tables. It keeps the large steps between the
 * numbers of successive owners, because the table compares these numbers with the time.
 */
final class Fingerprint {
    /** The distance between the change numbers of two owners, the same as in Lifecycle. */
    private static final long STEP = 1L << 20;

    private final Ranks tableNumbers = new Ranks();
    private final Ranks tokens = new Ranks();
    private final List<Ranks> versions = List.of(new Ranks(), new Ranks());
    private boolean collecting;
    private boolean swapped;
    private long high;
    private long low;

    /** Among a million states, the probability of a collision is below one in 10^26. */
    record Value(long high, long low) implements Comparable<Value> {
        @Override
        public int compareTo(Value other) {
            return high != other.high ? Long.compare(high, other.high) : Long.compare(low, other.low);
        }
    }

    Value of(State state) {
        tableNumbers.clear();
        tokens.clear();
        versions.forEach(Ranks::clear);
        collecting = true;
        hash(state, false);
        collecting = false;
        tableNumbers.sort();
        tokens.sort();
        versions.forEach(Ranks::sort);
        Value asIs = hash(state, false);
        Value otherWayRound = hash(state, true);
        return asIs.compareTo(otherWayRound) <= 0 ? asIs : otherWayRound;
    }

    private Value hash(State state, boolean swap) {
        swapped = swap;
        high = 1;
        low = 2;
        state.describe(this, swap);
        return new Value(high, low);
    }

    void number(long value) {
        if (collecting) {
            return;
        }
        high = mix(high * 0x9E3779B97F4A7C15L + value);
        low = mix((low ^ value) * 0xD6E8FEB86659FD93L + 0x2545F4914F6CDD1DL);
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    void flag(boolean value) {
        number(value ? 1 : 0);
    }

    void name(Enum<?> value) {
        number(value.name().hashCode());
    }

    /** Adds a change number of the table. */
    void change(long value) {
        ranked(tableNumbers, value);
    }

    void version(int logicalNodeId, long value) {
        ranked(versions.get(logicalNodeId), value);
    }

    void token(Token token) {
        number(token.tableId());
        ranked(tokens, token.sequence());
    }

    private void ranked(Ranks ranks, long value) {
        if (collecting) {
            ranks.add(value);
        } else {
            number(ranks.rank(value));
        }
    }

    void holder(UUID holder) {
        holder(Holder.indexOf(holder));
    }

    void holder(int index) {
        number(swapped ? 1 - index : index);
    }

    /** Adds things whose order does not matter. */
    <T> void unordered(Collection<T> things, Consumer<T> describe) {
        long highBefore = high;
        long lowBefore = low;
        long highSum = 0;
        long lowSum = 0;
        for (T thing : things) {
            high = 3;
            low = 4;
            describe.accept(thing);
            highSum += mix(high);
            lowSum += mix(low);
        }
        high = highBefore;
        low = lowBefore;
        number(things.size());
        number(highSum);
        number(lowSum);
    }

    /** The numbers of one kind in a state. */
    private static final class Ranks {
        private long[] values = new long[32];
        private int count;

        void clear() {
            count = 0;
        }

        void add(long value) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = value;
        }

        void sort() {
            Arrays.sort(values, 0, count);
        }

        /** Returns the number of the owner, and the count of lower numbers of that owner. */
        long rank(long value) {
            long step = Math.floorDiv(value, STEP);
            long rank = 0;
            for (int i = 0; i < count && values[i] < value; i++) {
                if (Math.floorDiv(values[i], STEP) == step && (i == 0 || values[i] != values[i - 1])) {
                    rank++;
                }
            }
            return step * STEP + rank;
        }
    }
}
