// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * The time at which a table decides a request, in a cluster or in a database.
 *
 * @param nowMillis the time of the cluster or of the database
 * @param latestIncarnation the highest number of an incarnation that a holder can know. Its number is the time of its
 *     creation, or higher
 */
public record DecisionTime(long nowMillis, long latestIncarnation) {}
