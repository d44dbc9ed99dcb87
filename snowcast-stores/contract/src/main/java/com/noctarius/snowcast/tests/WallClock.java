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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The wall clock of another process. A preloaded native library lets a test set this clock while the process runs. */
public final class WallClock {
    private static final String SOURCE = "wall-clock.c";
    private static final int SECONDS_AHEAD = 0;
    private static final int MISREAD_EACH = 1;

    private final Path library;
    private final Path file;
    private final LongBuffer settings;

    /**
     * Creates a clock that shows the right time.
     *
     * @param library the result of {@link #compile}
     * @param directory an existing directory for the file of this clock
     * @param name the name of the file, unique to this clock
     * @throws IOException if the file cannot be written
     */
    public WallClock(Path library, Path directory, String name) throws IOException {
        this.library = library;
        this.file = directory.resolve(name + ".clock");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            this.settings = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2L * Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .asLongBuffer();
        }
    }

    /**
     * Compiles the library.
     *
     * @param directory an existing directory for its files
     * @return the library; empty if this machine has no C compiler that compiles it
     */
    public static Optional<Path> compile(Path directory) {
        Path source = directory.resolve(SOURCE);
        Path library = directory.resolve("wall-clock.so");
        try (InputStream text = Objects.requireNonNull(WallClock.class.getResourceAsStream(SOURCE))) {
            Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
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

    /** {@return the words to put before a command line, so that its program reads this clock} */
    public List<String> wrapper() {
        return List.of("env", "LD_PRELOAD=" + library, "SNOWCAST_WALL_CLOCK=" + file);
    }

    /**
     * Sets how far the clock is ahead of the real time from now on.
     *
     * @param time how far, in whole seconds; negative if the clock is to be behind
     */
    public void setAhead(Duration time) {
        settings.put(SECONDS_AHEAD, time.toSeconds());
    }

    /**
     * Makes every n-th read return a time that is about 2^32 milliseconds (49.7 days) ahead.
     *
     * @param n 1 or more; 0 ends these wrong reads
     */
    public void misreadEach(int n) {
        settings.put(MISREAD_EACH, n);
    }
}
