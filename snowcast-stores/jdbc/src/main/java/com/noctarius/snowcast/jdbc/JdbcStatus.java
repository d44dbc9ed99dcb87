// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The state of the shards, as a {@link JdbcMonitor} read it: how many integers they have left, or why a shard is
 * unreachable. Immutable.
 *
 * @param problem why agents reject the list as a whole, for example because its shards have different lists; empty if
 *     nothing is wrong
 * @param shards all shards, in their order
 * @param sequences the sequences that at least one shard has, by name
 */
public record JdbcStatus(String problem, List<ShardStatus> shards, List<SequenceStatus> sequences) {
    /**
     * Copies the lists.
     *
     * @param problem why agents reject the list as a whole
     * @param shards all shards, in their order
     * @param sequences the sequences that at least one shard has, by name
     */
    public JdbcStatus {
        shards = List.copyOf(shards);
        sequences = List.copyOf(sequences);
    }

    /**
     * Returns whether an operator has to act.
     *
     * @param minAutonomy how long the integers that each shard has left should last, if that shard alone served all
     *     processes
     * @return whether a shard is unreachable or rejected, the list is rejected, or a sequence
     *     {@linkplain SequenceStatus#isShort is short}
     */
    public boolean needsAttention(Duration minAutonomy) {
        return !problem.isEmpty()
                || shards.stream().anyMatch(shard -> !shard.problem().isEmpty())
                || sequences.stream().anyMatch(sequence -> sequence.isShort(minAutonomy));
    }

    /**
     * The state of one database.
     *
     * @param index its index in the list of shards
     * @param database the ID that the database got when its tables were created; empty if the ID could not be read, or
     *     the check of the shard failed
     * @param isReachable whether it answered
     * @param problem why it did not answer, or why agents or stores reject it, for example because it is another shard
     *     or failed over; empty if nothing is wrong
     */
    public record ShardStatus(int index, String database, boolean isReachable, String problem) {}

    /**
     * The state of one sequence.
     *
     * @param name its name
     * @param firstValue its lowest integer
     * @param lastValue its highest integer
     * @param integersPerSecond how many integers all processes have reserved per second since the previous reading of
     *     the same monitor, in the shards that were read both times; empty if there is no such shard. Integers of
     *     windows that were both inserted and used up since are not counted
     * @param windows the windows of each shard that could be read, in the order of the shards
     */
    public record SequenceStatus(
            String name,
            long firstValue,
            long lastValue,
            OptionalDouble integersPerSecond,
            List<WindowStatus> windows) {
        private static final double MAX_SECONDS = Duration.ofDays(36_500).toSeconds();

        /**
         * Copies the list.
         *
         * @param name its name
         * @param firstValue its lowest integer
         * @param lastValue its highest integer
         * @param integersPerSecond how many integers were reserved per second
         * @param windows the windows of each shard
         */
        public SequenceStatus {
            windows = List.copyOf(windows);
        }

        /**
         * Returns how many integers the open windows of all shards that could be read have left.
         *
         * @return 0 or more
         */
        public long remaining() {
            return windows.stream().mapToLong(WindowStatus::remaining).sum();
        }

        /**
         * Returns how long the open windows of a shard would last if that shard alone served all processes.
         *
         * @param ofShard the windows of the shard
         * @return the time, at most 100 years; empty if the rate is unknown or 0
         */
        public Optional<Duration> autonomy(WindowStatus ofShard) {
            return lasting(ofShard.remaining());
        }

        /**
         * Returns how long the integers in the open windows would last. Counts all shards that could be read.
         *
         * @return the time, at most 100 years; empty if the rate is unknown or 0
         */
        public Optional<Duration> autonomy() {
            return lasting(remaining());
        }

        private Optional<Duration> lasting(long integers) {
            double perSecond = integersPerSecond.orElse(0);
            return perSecond <= 0
                    ? Optional.empty()
                    : Optional.of(Duration.ofMillis((long) (Math.min(integers / perSecond, MAX_SECONDS) * 1_000)));
        }

        /**
         * Returns whether a shard that could be read has no open window, or has fewer integers left than all processes
         * use in the given time. If the rate is unknown, returns only whether such a shard has no open window.
         *
         * @param minAutonomy the time, such as twice the interval of the agent's runs
         * @return whether the sequence is short
         */
        public boolean isShort(Duration minAutonomy) {
            return windows.stream()
                    .anyMatch(ofShard -> ofShard.openWindows() == 0
                            || autonomy(ofShard).stream().anyMatch(time -> time.compareTo(minAutonomy) < 0));
        }
    }

    /**
     * The windows of one shard for a sequence.
     *
     * @param shard the index of the shard
     * @param openWindows how many windows have integers left
     * @param remaining how many integers these windows have left
     * @param reservedUpTo the highest integer that this shard has issued, or that a recovery has closed; empty if there
     *     is none. Reservations that the shard has lost are not included
     * @param announced an upper bound of the ends of all windows in any shard, which this shard stores; 0 if it stores
     *     none
     */
    public record WindowStatus(int shard, int openWindows, long remaining, OptionalLong reservedUpTo, long announced) {}
}
