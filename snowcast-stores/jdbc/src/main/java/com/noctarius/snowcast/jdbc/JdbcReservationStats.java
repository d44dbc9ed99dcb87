// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;

/**
 * How the reservations of one sequence fared in this process. Counts never decrease.
 *
 * @param sequence the name of the sequence
 * @param reservations blocks that were reserved
 * @param integers integers in these blocks
 * @param failures calls in which no shard could serve, or that found the sequence exhausted
 * @param failFor for how long no call has reserved a block although one was asked for; zero if the last one has
 * @param problem why the last call failed; empty if it did not
 */
public record JdbcReservationStats(
        String sequence, long reservations, long integers, long failures, Duration failFor, String problem) {}
