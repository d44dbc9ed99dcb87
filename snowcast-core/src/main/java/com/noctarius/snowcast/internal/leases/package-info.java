// SPDX-License-Identifier: Apache-2.0
/**
 * Sequencers and node leases, which hold leases of node IDs; {@code LeaseKeeper}, which renews these leases; and the
 * {@code Snowcast} of one {@code HazelcastInstance} or database.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.leases;
