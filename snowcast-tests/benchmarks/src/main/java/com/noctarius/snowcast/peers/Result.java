// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.peers.Findings.OfFault;
import java.util.Optional;

/** The result of a run for one generator. */
record Result(String subject, long seed, double seconds, Findings findings) {
    Optional<OfFault> of(Fault fault) {
        return Optional.ofNullable(findings.byFault().get(fault));
    }
}
