// SPDX-License-Identifier: Apache-2.0
/**
 * What the owner of a partition decides: who holds which node ID for which stretch of time; how replicas and the sides
 * of a split agree on that; and whether a member may act as an owner at all. Knows nothing of Hazelcast.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.owner;
