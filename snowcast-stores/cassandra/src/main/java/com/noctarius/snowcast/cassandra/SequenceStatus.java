// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.IntegerSequenceStats;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What is left of a sequence, as {@link CassandraSchema#status} found it.
 *
 * @param sequence the name of the sequence
 * @param stripes how many stripes it has; 0 if it has two tiers
 * @param firstValue its lowest integer
 * @param lastValue its highest integer
 * @param left two tiers: how many integers no datacenter has claimed; striped: how many no process has reserved
 * @param integersPerSecond how many all clients reserved per second while the status was taken; empty if there was no
 *     time for that
 * @param datacenters two tiers: the datacenters that ever claimed a range; empty for a striped sequence
 * @param problem what is wrong with the rows, and what to run; empty if nothing is
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
     * @param stripes how many stripes it has; 0 if it has two tiers
     * @param firstValue its lowest integer
     * @param lastValue its highest integer
     * @param left how many integers are left
     * @param integersPerSecond how many all clients reserved per second
     * @param datacenters the datacenters that ever claimed a range
     * @param problem what is wrong with the rows; empty if nothing is
     */
    public SequenceStatus {
        datacenters = List.copyOf(datacenters);
    }

    /**
     * The ranges of one datacenter. What is known of others than the local one is what has reached it.
     *
     * @param name its name
     * @param remaining how many integers it can reserve without the others, the next range included
     * @param preloaded how many of these are in the next range; 0 if there is none
     * @param integersPerSecond how many it reserved per second while the status was taken; empty if there was no time
     *     for that
     * @param problem what is wrong with its row, and what to run; empty if nothing is
     */
    public record Datacenter(
            String name, long remaining, long preloaded, OptionalDouble integersPerSecond, String problem) {
        /**
         * Returns how long the datacenter lasts without the others, at the present rate.
         *
         * @return at most {@link IntegerSequenceStats#ENDLESS}, which it also is where the rate is not known
         */
        public Duration autonomy() {
            double rate = integersPerSecond.orElse(0);
            return rate == 0 && remaining == 0 ? Duration.ZERO : RangeSettings.autonomy(remaining, rate);
        }
    }
}
