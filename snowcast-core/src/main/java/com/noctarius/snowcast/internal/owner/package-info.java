// SPDX-License-Identifier: Apache-2.0
/**
 * Decides which holder gets a lease of which node ID, for the owner of a partition. The SQL store uses
 * {@code NodeTable} and the classes that it needs, and holders use the requests and replies. Does not depend on
 * Hazelcast. The questions, and the classes that answer them:
 *
 * <ul>
 *   <li>Which holder gets which node ID, from when and until when: {@code NodeTable.attach} and {@code AttachDecision};
 *       for how much longer: {@code NodeTable.renew}. {@code TableRules} has the limits.
 *   <li>What the copies of a table receive, and which state is newer: {@code ReplicatedTable} and {@code Snapshot}.
 *   <li>When a copy must not be used because it lacks data: {@code PartitionContainer} and
 *       {@code ReplicatedTable.becomeOwner}. In the package {@code cluster}, {@code Containers} lists the ways to lose
 *       data, and {@code GrantBounds.waitEndIfLostNow} says how long the lost names then get no grants.
 *   <li>How a merge after a network split treats the grants of both sides: {@code NodeTableMerge}.
 * </ul>
 *
 * <p>Names that end in {@code Millis} are of durations, or of moments in milliseconds since 1970. Names without this
 * ending, such as {@code floor}, {@code ceiling} and {@code lastIdTime}, are of <em>ID time</em>: milliseconds since
 * the epoch of the sequencer.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.owner;
