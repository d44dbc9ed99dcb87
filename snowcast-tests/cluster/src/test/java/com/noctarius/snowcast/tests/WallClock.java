// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The wall clock of another process, which this one sets while it runs: below the JVM, by a preloaded library. */
final class WallClock {
    private static final String SOURCE = "wall-clock.c";
    private static final int SECONDS_AHEAD = 0;
    private static final int MISREAD_EACH = 1;

    private final Path library;
    private final Path file;
    private final LongBuffer settings;

    /** A clock that is right, and has a file of its own in a directory. */
    WallClock(Path library, Path directory, String name) throws IOException {
        this.library = library;
        this.file = directory.resolve(name + ".clock");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            this.settings = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2L * Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .asLongBuffer();
        }
    }

    /** Compiles the library, or says why this machine cannot. */
    static Optional<Path> compile(Path directory) {
        Path source = directory.resolve(SOURCE);
        Path library = directory.resolve("wall-clock.so");
        try (InputStream text = Objects.requireNonNull(WallClock.class.getResourceAsStream(SOURCE))) {
            Files.copy(text, source);
            Process compiler = new ProcessBuilder(
                            "cc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString(), "-ldl")
                    .inheritIO()
                    .start();
            return compiler.waitFor() == 0 ? Optional.of(library) : Optional.empty();
        } catch (IOException e) {
            if (Files.exists(source)) {
                return Optional.empty();
            }
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** The command that gives this clock to the one that follows it. */
    List<String> wrapper() {
        return List.of("env", "LD_PRELOAD=" + library, "SNOWCAST_WALL_CLOCK=" + file);
    }

    void setAhead(Duration time) {
        settings.put(SECONDS_AHEAD, time.toSeconds());
    }

    /** From now on each n-th read alone is 2^32 milliseconds, 49.7 days, ahead; 0 ends that. */
    void misreadEach(int n) {
        settings.put(MISREAD_EACH, n);
    }
}
