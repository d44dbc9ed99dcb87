// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.IntegerSequenceStats;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The state of a sequence, as {@link CassandraSchema#status} read it. Immutable.
 *
 * @param sequence the name of the sequence
 * @param stripes how many stripes it has; 0 for a sequence in two tiers
 * @param firstValue its lowest integer
 * @param lastValue its highest integer
 * @param left in two tiers, how many integers no datacenter has claimed; otherwise how many no process has reserved
 * @param integersPerSecond how many integers all clients reserved per second during the interval; empty if the interval
 *     was 0
 * @param datacenters in two tiers, the datacenters that ever claimed a range; otherwise empty
 * @param problem what is wrong with the rows, and what to run; empty if nothing is wrong
 */
public record SequenceStatus(
        String sequence,
        int stripes,
        long firstValue,
        long lastValue,
        long left,
        OptionalDouble integersPerSecond,
        List<Datacenter> datacenters,
        String problem) {
    /**
     * Copies the list.
     *
     * @param sequence the name of the sequence
     * @param stripes how many stripes it has; 0 for a sequence in two tiers
     * @param firstValue its lowest integer
     * @param lastValue its highest integer
     * @param left how many integers are left
     * @param integersPerSecond how many all clients reserved per second
     * @param datacenters the datacenters that ever claimed a range
     * @param problem what is wrong with the rows; empty if nothing is wrong
     */
    public SequenceStatus {
        datacenters = List.copyOf(datacenters);
    }

    /**
     * The ranges of one datacenter. The state of another datacenter is as far as it has been replicated to the local
     * one.
     *
     * @param name its name
     * @param remaining how many integers it can reserve without the others, including the next range
     * @param preloaded how many of these are in the next range; 0 if there is no next range
     * @param integersPerSecond how many integers it reserved per second during the interval; empty if the interval was
     *     0
     * @param problem what is wrong with its row, and what to run; empty if nothing is wrong
     */
    public record Datacenter(
            String name, long remaining, long preloaded, OptionalDouble integersPerSecond, String problem) {
        /**
         * Returns how long the datacenter lasts at the present rate without the others.
         *
         * @return at most {@link IntegerSequenceStats#ENDLESS}, which it also returns if integers remain and the rate
         *     is 0 or not known
         */
        public Duration autonomy() {
            double rate = integersPerSecond.orElse(0);
            return rate == 0 && remaining == 0 ? Duration.ZERO : RangeSettings.autonomy(remaining, rate);
        }
    }
}
