// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/**
 * A figure of a {@code HazelcastInstance}, one of those that Hazelcast's metrics show under the prefix {@code snowcast}.
 *
 * @param name the metric, such as {@code attachedNodeIds}
 * @param tag {@code name} if it is of a sequencer, {@code sequence} of an integer sequence, and empty of all together
 * @param of the name of the sequencer or the integer sequence; empty of all together
 * @param value a count, or milliseconds
 */
public record SnowcastMetric(String name, String tag, String of, long value) {}
