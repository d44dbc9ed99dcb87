// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.HighWaterMark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Reads and writes high-water marks in a directory, for the default cluster name. */
public final class Marks {
    private Marks() {}

    /** Writes the mark that a crashed member leaves behind. */
    public static void leave(Path directory, String memberName, long untilMillis) {
        try {
            DurableHighWaterMark.open(ofCluster(directory), memberName, 0, 0).reserve(HighWaterMark.NONE, untilMillis);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static HighWaterMark in(Path directory) {
        try {
            return DurableHighWaterMark.open(ofCluster(directory), "test", 0, 0).latest();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Path ofCluster(Path directory) {
        return directory.resolve("dev");
    }
}
