// SPDX-License-Identifier: Apache-2.0
/**
 * The decisions of a partition owner about the leases of node IDs. Does not depend on Hazelcast. Where each question is
 * answered:
 *
 * <ul>
 *   <li>Which holder gets which node ID, from when and until when: {@code NodeTable.attach} and {@code AttachDecision};
 *       for how much longer: {@code NodeTable.renew}. {@code TableRules} has the limits.
 *   <li>What the copies of a table receive, and which state is newer: {@code ReplicatedTable} and {@code Snapshot}.
 *   <li>When a copy must not be used because it lacks data, and how long its names wait in that case:
 *       {@code PartitionContainer}. {@code Containers}, in the package {@code cluster}, lists all losses.
 *   <li>What a merge of two sides of a split network does to the grants of both: {@code NodeTableMerge}.
 *   <li>Whether enough members confirm that a member is still in its cluster: {@code Electorate}. {@code OwnerCheck},
 *       in the package {@code cluster}, calls it before and after each request.
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.owner;
