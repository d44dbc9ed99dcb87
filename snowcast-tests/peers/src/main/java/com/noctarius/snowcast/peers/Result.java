// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.peers.Findings.OfFault;
import java.util.Optional;

/**
 * A run of one generator.
 *
 * @param subject its name
 * @param seed of the schedule
 * @param seconds how long it ran
 * @param findings what the checker found
 */
record Result(String subject, long seed, double seconds, Findings findings) {
    /** Returns what was found for a kind of fault, if it happened. */
    Optional<OfFault> of(Fault fault) {
        return Optional.ofNullable(findings.byFault().get(fault));
    }
}
