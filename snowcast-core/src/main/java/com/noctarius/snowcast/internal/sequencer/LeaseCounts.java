// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import com.noctarius.snowcast.internal.table.Token;
import org.jspecify.annotations.Nullable;

/** How the lease of a sequencer went so far. Thread-safe: a lock, held for an addition. */
final class LeaseCounts {
    private long extensions;
    private long failures;
    private long refusals;
    private @Nullable Token lastRefused;

    /**
     * What was counted.
     *
     * @param extensions extensions that took effect
     * @param failures extensions that were asked for in vain
     * @param refusals grants that were given up because the cluster does not know them any more
     */
    record Seen(long extensions, long failures, long refusals) {}

    synchronized void extended() {
        extensions++;
    }

    synchronized void failed() {
        failures++;
    }

    /** Counts a grant that is given up, once, for however many reasons. */
    synchronized void refused(Token token) {
        if (!token.equals(lastRefused)) {
            refusals++;
            lastRefused = token;
        }
    }

    synchronized Seen seen() {
        return new Seen(extensions, failures, refusals);
    }
}
