// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/**
 * A metric of a {@link Snowcast}. Hazelcast's metrics of a {@code HazelcastInstance} show it with the prefix
 * {@code snowcast}.
 *
 * @param name the metric, such as {@code attachedNodeIds}
 * @param tag the kind of object that the metric belongs to: {@code name} for a sequencer, and for the counts of node
 *     IDs of a node lease; {@code lease} for the other metrics of a node lease; {@code sequence} for an integer
 *     sequence; empty for a metric of the whole instance
 * @param of the name of that sequencer, node lease or integer sequence; empty for a metric of the whole instance
 * @param value a count, a time in milliseconds, or 1 for yes and 0 for no
 */
public record SnowcastMetric(String name, String tag, String of, long value) {}
