// SPDX-License-Identifier: Apache-2.0
/**
 * The decisions of a partition owner: which holder leases which node ID for which time; how the replicas and the sides
 * of a split network agree on the grants; and whether a member may act as an owner at all. Does not depend on
 * Hazelcast.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.owner;
