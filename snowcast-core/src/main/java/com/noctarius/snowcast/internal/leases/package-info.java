// SPDX-License-Identifier: Apache-2.0
/**
 * The holders' side of the leases of node IDs: sequencers and node leases, {@code LeaseKeeper}, which renews their
 * leases, and the {@code Snowcast} of one {@code HazelcastInstance} or database.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.leases;
