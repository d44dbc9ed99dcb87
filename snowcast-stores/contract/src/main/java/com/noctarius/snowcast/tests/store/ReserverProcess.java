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
 * A process that reserves blocks and writes them to a file, until it is stopped, killed, or the sequence is used up. It
 * ends when the process that started it does. Thread-safe.
 */
public final class ReserverProcess implements AutoCloseable {
    private static final int BYTES_PER_BLOCK = 4 * Long.BYTES;
    private static final Duration AT_MOST = Duration.ofMinutes(3);

    private final Process process;
    private final Path file;
    private final Path output;

    /**
     * A block, and when the process got it.
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
     * Starts one, with this JVM's class path; does not wait for it.
     *
     * @param directory an existing one of its own, for what it writes
     * @param opener how it opens the store
     * @param arguments of the opener
     * @param sequence whose blocks it reserves
     * @param maxSize the size of a block is chosen at random, from 1 to this
     * @return the process
     * @throws IOException if it cannot be started
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
     * Waits until it has reserved some more.
     *
     * @param count how many blocks more
     * @throws AssertionError if it does not, or ends before
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
     * Says how many blocks it has reserved so far.
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
     * Returns what it has reserved so far.
     *
     * @return the blocks, in the order in which it got them
     */
    public List<Block> blocks() {
        return reservations().stream().map(Reservation::block).toList();
    }

    /**
     * Returns what it has reserved so far, and when.
     *
     * @return the reservations, in their order
     */
    public List<Reservation> reservations() {
        return reservations(0);
    }

    /**
     * Returns what it has reserved so far, without the first ones.
     *
     * @param without how many
     * @return the others, in their order
     */
    public List<Reservation> reservations(long without) {
        // What a kill has left of an entry does not count.
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
     * Asks it to end, and waits for that.
     *
     * @throws AssertionError if it does not, or ended with an error
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
     * Waits until it ends by itself, because the sequence is used up.
     *
     * @throws AssertionError if it does not, or ended with an error
     */
    public void awaitEnd() {
        if (!hasEndedWithin(AT_MOST) || process.exitValue() != 0) {
            throw new AssertionError("must end with 0: " + this);
        }
    }

    /** Stops it in the middle of whatever it does, until {@link #thaw}; its connections stay open. */
    public void freeze() {
        signal("-STOP");
    }

    /** Lets it go on. */
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

    /** Kills it, without a word to anybody, and waits until it is dead. */
    @Override
    public void close() {
        // Not by the process itself, which would close its input, too, and let it end in order.
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
     * The process's main method.
     *
     * @param arguments opener, sequence, size, file, and those of the opener
     * @throws Exception if the store cannot be opened or the file not be written
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
                // Nothing is ever said.
            }
        } catch (IOException e) {
            // The starter is gone.
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
                // To be expected while the store is out of reach; logged once, with the reason.
                if (!String.valueOf(e.getMessage()).equals(lastFailure)) {
                    lastFailure = String.valueOf(e.getMessage());
                    System.out.println(lastFailure);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    /** In one write, so that a kill leaves no more than one entry incomplete. */
    private static void write(Block block, DataOutputStream out) throws IOException {
        out.write(ByteBuffer.allocate(BYTES_PER_BLOCK)
                .putLong(block.first())
                .putLong(block.count())
                .putLong(block.step())
                .putLong(System.currentTimeMillis())
                .array());
    }
}
