// SPDX-License-Identifier: Apache-2.0
/**
 * What a process does with what it was given: sequencers keep a lease and issue IDs, integer sequences keep blocks and
 * hand out integers; and the {@code Snowcast} of one {@code HazelcastInstance}, which asks the cluster for both.
 */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.holder;
