// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.IntegerSequence;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The state of a sequence, as {@link CassandraSchema#status} has read it. Immutable.
 *
 * @param sequence the name of the sequence
 * @param stripes how many stripes it has; 0 for a two-tier sequence
 * @param firstValue its lowest integer
 * @param lastValue its highest integer
 * @param left how many integers datacenters can still claim (two tiers), or processes can still reserve (other
 *     sequences)
 * @param integersPerSecond how many integers all clients reserved per second; empty if the interval was 0, or if the
 *     sequence was defined during the interval
 * @param datacenters the datacenters that ever claimed a range; empty if the sequence is plain or striped
 * @param problem the error in the rows of the sequence, and the command that repairs it; empty if there is none
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
     * Creates a status with a copy of the list.
     *
     * @param sequence the name of the sequence
     * @param stripes how many stripes it has; 0 for a two-tier sequence
     * @param firstValue its lowest integer
     * @param lastValue its highest integer
     * @param left how many integers are left
     * @param integersPerSecond how many all clients reserved per second
     * @param datacenters the datacenters that ever claimed a range
     * @param problem the error in the rows of the sequence; empty if there is none
     */
    public SequenceStatus {
        datacenters = List.copyOf(datacenters);
    }

    /**
     * The ranges of one datacenter. If it is not the local datacenter, the values may be out of date, because they are
     * read from the replicas in the local datacenter.
     *
     * @param name the name of the datacenter
     * @param remaining how many integers its processes can reserve without the other datacenters, including the next
     *     range
     * @param preloaded how many of the remaining integers are in the next range; 0 if there is no next range
     * @param integersPerSecond how many integers its processes reserved per second; empty if the interval was 0, or if
     *     the sequence was defined during the interval
     * @param problem the error in its row, and the command that repairs it; empty if there is none
     */
    public record Datacenter(
            String name, long remaining, long preloaded, OptionalDouble integersPerSecond, String problem) {
        /**
         * Returns how long the integers of the datacenter last without the other datacenters, at the measured rate.
         *
         * @return at most {@link IntegerSequence.Stats#ENDLESS}, which is also returned if integers remain and the rate
         *     is 0 or not known
         */
        public Duration autonomy() {
            double rate = integersPerSecond.orElse(0);
            return rate == 0 && remaining == 0 ? Duration.ZERO : RangeSettings.autonomy(remaining, rate);
        }
    }
}
