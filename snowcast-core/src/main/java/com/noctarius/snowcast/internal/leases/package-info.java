// SPDX-License-Identifier: Apache-2.0
/**
 * The holders' side of the leases of node IDs. Sequencers issue IDs while they have a lease, and {@code LeaseKeeper}
 * renews the leases. Also the {@code Snowcast} of one {@code HazelcastInstance} or database.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.leases;
