// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.internal.base.PatientStart;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the start of a context while the cluster or database cannot serve yet.
 *
 * @param timeout for how long the start retries for each sequencer, integer sequence or node lease before it fails
 * @param attacher the task that attaches sequencers later, in place of retries by the start; null if the start retries
 */
record StartRules(Duration timeout, @Nullable Attacher attacher) {
    static final StartRules DEFAULT = new StartRules(Duration.ofMinutes(2), null);
    private static final Log LOG = LogFactory.getLog(StartRules.class);

    PatientStart start() {
        return new PatientStart(timeout, LOG::warn);
    }
}
