// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

/**
 * A run of one generator.
 *
 * @param subject its name
 * @param seed of the schedule
 * @param seconds how long it ran
 * @param findings what the checker found
 */
record Result(String subject, long seed, double seconds, Findings findings) {}
