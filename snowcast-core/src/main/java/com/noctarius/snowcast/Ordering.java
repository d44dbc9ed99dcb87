// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/** In which order the integers of an integer sequence come. */
public enum Ordering {
    /**
     * A call that starts after another has returned, on the same instance, gets the greater integer, as far as the blocks
     * increase that the store gives.
     */
    STRICT,
    /**
     * A call that starts after another has returned, anywhere in the cluster, gets the greater integer: for integer
     * sequences that count in the Hazelcast cluster. Each call asks the cluster, a round trip with a backup; calls of one
     * process that wait at the same time share a request. All members and clients that use the sequence have this ordering.
     * In a split without split-brain protection it holds on each side, until the sides have merged.
     */
    CLUSTER
}
