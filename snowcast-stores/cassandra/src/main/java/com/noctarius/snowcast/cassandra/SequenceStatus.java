// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.IntegerSequenceStats;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The state of a sequence, as {@link CassandraSchema#status} has read it. Immutable.
 *
 * @param sequence the name of the sequence
 * @param stripes how many stripes it has; 0 for a sequence in two tiers
 * @param firstValue its lowest integer
 * @param lastValue its highest integer
 * @param left how many integers are not claimed (in two tiers) or not reserved (other sequences)
 * @param integersPerSecond how many integers all clients reserved per second; empty if the interval was 0
 * @param datacenters the datacenters that ever claimed a range; empty unless the sequence is in two tiers
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
     * The ranges of one datacenter. The values of another datacenter than the local one may be out of date, because
     * they are read as replicated to the local one.
     *
     * @param name its name
     * @param remaining how many integers it can reserve without the other datacenters, including the next range
     * @param preloaded how many of the remaining integers are in the next range; 0 if there is no next range
     * @param integersPerSecond how many integers it reserved per second; empty if the interval was 0
     * @param problem what is wrong with its row, and what to run; empty if nothing is wrong
     */
    public record Datacenter(
            String name, long remaining, long preloaded, OptionalDouble integersPerSecond, String problem) {
        /**
         * Returns how long the integers of the datacenter last without the other datacenters, at the measured rate.
         *
         * @return at most {@link IntegerSequenceStats#ENDLESS}, also if integers remain and the rate is 0 or not known
         */
        public Duration autonomy() {
            double rate = integersPerSecond.orElse(0);
            return rate == 0 && remaining == 0 ? Duration.ZERO : RangeSettings.autonomy(remaining, rate);
        }
    }
}
