// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/**
 * A metric of a {@code HazelcastInstance}, which Hazelcast's metrics show with the prefix {@code snowcast}.
 *
 * @param name the metric, such as {@code attachedNodeIds}
 * @param tag {@code name} for the metric of a sequencer, {@code sequence} for that of an integer sequence; empty for a
 *     total of the instance
 * @param of the name of the sequencer or integer sequence that the metric belongs to; empty for a total of the instance
 * @param value a count, or a time in milliseconds
 */
public record SnowcastMetric(String name, String tag, String of, long value) {}
