// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.Locale;
import java.util.function.DoubleSupplier;

/** A progress bar on standard error, redrawn a few times a second. Not thread-safe. */
final class Progress {
    private static final int WIDTH = 30;
    private static final int STEP = 1 << 16;
    private static final long INTERVAL_NANOS = 200_000_000;

    private final ShownStream err;
    private final boolean isShown;
    private final DoubleSupplier share;
    private final long startNanos = System.nanoTime();
    private long drawnNanos = startNanos - INTERVAL_NANOS;

    /** @param share the completed share from 0 to 1; negative if it is unknown */
    Progress(ShownStream err, boolean isShown, DoubleSupplier share) {
        this.err = err;
        this.isShown = isShown;
        this.share = share;
    }

    void at(long count) {
        if (isShown && count % STEP == 0 && System.nanoTime() - drawnNanos >= INTERVAL_NANOS) {
            drawnNanos = System.nanoTime();
            draw(count);
        }
    }

    /** Draws the bar now, unless it is hidden. {@link #at} draws it only a few times a second. */
    void draw(long count) {
        if (!isShown) {
            return;
        }
        double done = share.getAsDouble();
        int filled = (int) Math.round(WIDTH * Math.max(0, Math.min(done, 1)));
        String bar = done < 0 ? "" : "[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "] ";
        double seconds = Math.max(1, System.nanoTime() - startNanos) / 1e9;
        err.control(String.format(Locale.ROOT, "\r%s%,d IDs, %,.0f per second ", bar, count, count / seconds));
    }

    void end(long count, String then) {
        if (isShown) {
            draw(count);
            err.println(then);
        }
    }
}
