// SPDX-License-Identifier: Apache-2.0
/**
 * Sequencers and node leases, which hold leases of node IDs; {@code LeaseKeeper}, which looks after these leases; and
 * the {@code Snowcast} of one {@code HazelcastInstance} or database. Nothing in this package decides which node ID is
 * granted: a {@code Coordinator} requests it from the owner of a partition or from a database, and {@code FixedNode}
 * reads it from the configuration.
 *
 * <p>The life of a grant, in {@code GrantHolder}:
 *
 * <ul>
 *   <li>{@code attach} requests a grant through {@code GrantRequests}. If the grant has become void on its way, it is
 *       released unused.
 *   <li>{@code LeaseRenewals} requests its renewals; {@code renewed} raises the ceiling.
 *   <li>{@code loseGrant} seals a grant that must not be used any more, and requests another one ({@code reattach}).
 *       Its three causes: the renewal was refused; the member or client now belongs to another cluster, for example
 *       after the merge of a split ({@code clusterChanged}); or the grant cannot be used ({@code giveUp}).
 *   <li>{@code detach} seals the grant, and then releases the node ID. {@code destroyUpTo}, {@code destroy} and
 *       {@code close} seal it, and return the request with which their caller releases the node ID.
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.leases;
