// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Computes a 128-bit fingerprint of a state. States that differ only in names have the same fingerprint.
 *
 * <p>The names are the holders and the change numbers. The holders are interchangeable, so swapping them does not
 * change the fingerprint. Only the order of change numbers matters, so each number is replaced by a rank. A number is
 * ranked among the numbers with which the table compares it: the versions of one node ID, the tokens, or the numbers of
 * whole tables. The large steps between the numbers of successive owners remain, because the table compares these
 * numbers with the time.
 */
final class Fingerprint {
    /** The minimum by which a new owner raises the change number, as in {@code Lifecycle}. */
    private static final long STEP = 1L << 20;

    private final Ranks tableNumbers = new Ranks();
    private final Ranks tokens = new Ranks();
    private final List<Ranks> versions = List.of(new Ranks(), new Ranks());
    private boolean collecting;
    private boolean swapped;
    private long high;
    private long low;

    /** In a million different states, the probability that two of them have the same value is below one in 10^26. */
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

    /** Adds a collection to the fingerprint; the order of its elements does not matter. */
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

    /** The change numbers of one kind in a state. */
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

        /**
         * Rounds the value down to a multiple of {@link #STEP}, and adds the rank of the value among the values with
         * the same multiple. The values of successive owners have different multiples.
         */
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
