// SPDX-License-Identifier: Apache-2.0
/**
 * Leases of node IDs: what a process does with what it was granted. Sequencers issue IDs while they have a lease, and
 * {@code LeaseKeeper} has leases extended; and the {@code Snowcast} of one {@code HazelcastInstance} or database.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.leases;
