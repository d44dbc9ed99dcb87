// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * The time at which a table decides a request, in a cluster or in a database.
 *
 * @param nowMillis the time of the cluster or of the database
 * @param latestIncarnation the highest incarnation number that a request may contain, unless the table has a higher
 *     one: {@code nowMillis} plus the skew, because a new incarnation gets the present time as its number
 */
public record DecisionTime(long nowMillis, long latestIncarnation) {}
