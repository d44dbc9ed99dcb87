// SPDX-License-Identifier: Apache-2.0
/**
 * Sequencers and node leases, which hold leases of node IDs; {@code LeaseKeeper}, which looks after these leases; and
 * the {@code Snowcast} of one {@code HazelcastInstance} or database. Nothing in this package decides which node ID is
 * granted: a {@code Coordinator} requests it from the owner of a partition or from a database, and {@code FixedNode}
 * reads it from the configuration.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.leases;
