// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.store;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that reserves blocks and writes them to a file, until it is stopped or killed, or the sequence is used up.
 * It also ends when the process that started it ends. Thread-safe.
 */
public final class ReserverProcess implements AutoCloseable {
    private static final int BYTES_PER_BLOCK = 4 * Long.BYTES;
    private static final Duration AT_MOST = Duration.ofMinutes(3);

    private final Process process;
    private final Path file;
    private final Path output;

    /**
     * A block, and the time of its reservation.
     *
     * @param block the block
     * @param atMillis milliseconds since 1970, by the clock of this machine
     */
    public record Reservation(Block block, long atMillis) {}

    private ReserverProcess(Process process, Path file, Path output) {
        this.process = process;
        this.file = file;
        this.output = output;
    }

    /**
     * Starts a process with this JVM's class path. Does not wait for its first block.
     *
     * @param directory an existing directory for the files of this process only
     * @param opener the class that opens the store
     * @param arguments the arguments of the opener
     * @param sequence the sequence from which the process reserves
     * @param maxSize the maximum size of a block; each size is random, 1 or more
     * @return the process
     * @throws IOException if the process cannot be started
     */
    public static ReserverProcess start(
            Path directory,
            Class<? extends BlockStoreOpener> opener,
            List<String> arguments,
            String sequence,
            int maxSize)
            throws IOException {
        Path file = directory.resolve("blocks");
        Path output = directory.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ReserverProcess.class.getName(),
                opener.getName(),
                sequence,
                Integer.toString(maxSize),
                file.toString()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new ReserverProcess(process, file, output);
    }

    /**
     * Waits until the process has reserved more blocks.
     *
     * @param count how many more blocks
     * @throws AssertionError if the process ends first, or does not reserve the blocks within three minutes
     */
    public void awaitMore(int count) {
        long goal = count() + count;
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (count() < goal) {
            if (!process.isAlive() && count() < goal) {
                throw new AssertionError("ended before it had " + goal + " blocks: " + this);
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new AssertionError("not within " + AT_MOST + ": " + goal + " blocks of " + this);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    /**
     * Returns how many blocks the process has reserved so far.
     *
     * @return 0 or more
     */
    public long count() {
        try {
            return Files.exists(file) ? Files.size(file) / BYTES_PER_BLOCK : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the blocks that the process has reserved so far.
     *
     * @return the blocks, in the order of their reservation
     */
    public List<Block> blocks() {
        return reservations().stream().map(Reservation::block).toList();
    }

    /**
     * Returns the reservations so far.
     *
     * @return the reservations, in their order
     */
    public List<Reservation> reservations() {
        return reservations(0);
    }

    /**
     * Returns the reservations so far, without the first ones.
     *
     * @param without how many of the first reservations to leave out
     * @return the other reservations, in their order
     */
    public List<Reservation> reservations(long without) {
        // Ignore an entry that is incomplete because the process was killed.
        long end = count();
        List<Reservation> reservations = new ArrayList<>();
        if (end <= without) {
            return reservations;
        }
        try (RandomAccessFile entries = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[Math.toIntExact((end - without) * BYTES_PER_BLOCK)];
            entries.seek(without * BYTES_PER_BLOCK);
            entries.readFully(bytes);
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                Block block = new Block(buffer.getLong(), buffer.getLong(), buffer.getLong());
                reservations.add(new Reservation(block, buffer.getLong()));
            }
            return reservations;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Stops the process gracefully, and waits for its end.
     *
     * @throws AssertionError if the process does not end within three minutes, or ended with an error
     */
    public void stop() {
        try {
            process.getOutputStream().close();
            awaitEnd();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until the process ends by itself, because the sequence is used up.
     *
     * @throws AssertionError if the process does not end within three minutes, or ended with an error
     */
    public void awaitEnd() {
        if (!hasEndedWithin(AT_MOST) || process.exitValue() != 0) {
            throw new AssertionError("must end with 0: " + this);
        }
    }

    /** Suspends the process at any point of its work, until {@link #thaw}. Its connections stay open. */
    public void freeze() {
        signal("-STOP");
    }

    /** Lets the process continue after {@link #freeze}. */
    public void thaw() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
            if (kill.waitFor() != 0) {
                throw new AssertionError("kill " + signal + ' ' + this);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Kills the process, and waits until it has ended. */
    @Override
    public void close() {
        // Process.destroyForcibly would also close the input of the process, and let it shut down gracefully.
        process.toHandle().destroyForcibly();
        if (!hasEndedWithin(AT_MOST)) {
            throw new AssertionError("still alive: " + this);
        }
    }

    private boolean hasEndedWithin(Duration timeout) {
        try {
            return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public String toString() {
        try {
            return "process " + process.pid() + (process.isAlive() ? "" : ", ended with " + process.exitValue())
                    + ", with " + count() + " blocks, which said: " + Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- the other process

    /**
     * Reserves blocks in the process that {@link #start} has started.
     *
     * @param arguments the opener, the sequence, the maximum size, the file, and the arguments of the opener
     * @throws Exception if the store cannot be opened, or the file cannot be written
     */
    public static void main(String[] arguments) throws Exception {
        BlockStoreOpener opener = Class.forName(arguments[0])
                .asSubclass(BlockStoreOpener.class)
                .getDeclaredConstructor()
                .newInstance();
        int maxSize = Integer.parseInt(arguments[2]);
        List<String> rest = Arrays.asList(arguments).subList(4, arguments.length);
        Thread end = new Thread(ReserverProcess::endWithStarter, "end");
        end.setDaemon(true);
        end.start();
        try (BlockStore store = opener.open(rest);
                DataOutputStream out = new DataOutputStream(Files.newOutputStream(Path.of(arguments[3])))) {
            reserveAll(store, arguments[1], maxSize, out);
        }
    }

    private static void endWithStarter() {
        try {
            while (System.in.read() >= 0) {
                // The starter writes nothing.
            }
        } catch (IOException e) {
            // The starter has ended.
        }
        System.exit(0);
    }

    private static void reserveAll(BlockStore store, String sequence, int maxSize, DataOutputStream out)
            throws IOException {
        Random random = new Random();
        String lastFailure = "";
        while (true) {
            try {
                write(store.reserve(sequence, 1 + random.nextInt(maxSize)), out);
            } catch (BlockStoreExhaustedException e) {
                return;
            } catch (BlockStoreException e) {
                // Expected while the store cannot be reached. Print a reason only if it differs from the last one.
                if (!String.valueOf(e.getMessage()).equals(lastFailure)) {
                    lastFailure = String.valueOf(e.getMessage());
                    System.out.println(lastFailure);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    /** Writes a block in one write, so that a kill leaves at most one incomplete entry. */
    private static void write(Block block, DataOutputStream out) throws IOException {
        out.write(ByteBuffer.allocate(BYTES_PER_BLOCK)
                .putLong(block.first())
                .putLong(block.count())
                .putLong(block.step())
                .putLong(System.currentTimeMillis())
                .array());
    }
}
