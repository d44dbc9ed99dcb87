// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;

/**
 * The statistics of one sequence's reservations by a {@link JdbcBlockStore}. Counts never decrease.
 *
 * @param sequence the name of the sequence
 * @param reservations blocks that were reserved
 * @param integers integers in these blocks
 * @param failures calls that threw a {@code BlockStoreException}, for example because the sequence was exhausted
 * @param failFor the time since the first failure after the last success; zero if the last call succeeded
 * @param problem why the last call failed; empty if the last call succeeded
 */
public record JdbcReservationStats(
        String sequence, long reservations, long integers, long failures, Duration failFor, String problem) {}
