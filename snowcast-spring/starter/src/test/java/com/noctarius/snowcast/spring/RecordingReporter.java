// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** A reporter that keeps the last analysis of a failed start. */
public final class RecordingReporter implements FailureAnalysisReporter {
    private static final AtomicReference<@Nullable FailureAnalysis> LAST = new AtomicReference<>();

    @Override
    public void report(FailureAnalysis analysis) {
        LAST.set(analysis);
    }

    /** Returns the last analysis since the previous call; null if there is no analysis. */
    static @Nullable FailureAnalysis take() {
        return LAST.getAndSet(null);
    }
}
