// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/** The order of the integers of an {@link IntegerSequence}. */
public enum Ordering {
    /**
     * A call that starts after another has returned, on the same instance, gets the greater integer, as long as the
     * blocks of the store increase.
     */
    STRICT,
    /**
     * A call that starts after another has returned, anywhere in the cluster, gets the greater integer. Only for
     * integer sequences without a store. Each call makes a round trip to the cluster and its backup; calls of one
     * process that wait at the same time share a request. All members and clients that use the sequence have this
     * ordering. In a split without split-brain protection it holds on each side, until the sides have merged.
     */
    CLUSTER
}
