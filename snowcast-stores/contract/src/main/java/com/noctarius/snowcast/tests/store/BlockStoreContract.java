// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import com.noctarius.snowcast.store.SequenceName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test suite for the contract of {@link BlockStore}, which all stores must meet. The test of a store extends this
 * class, and implements {@link #open}. It overrides the other protected methods where their defaults are wrong for the
 * store, for example if the store has a server that can be killed. The suite skips the tests of a feature that the
 * store does not have.
 *
 * <p>A reservation may fail with a {@link BlockStoreException} at any time, for example because the store has no block
 * at present. The suite then usually retries, for up to three minutes. Random tests print their seed; the system
 * property {@code snowcast.seed} makes the tests use a given seed.
 */
public abstract class BlockStoreContract {
    /** The first value of each sequence in this suite is a multiple of this number, and so is the last value plus 1. */
    protected static final int ALIGNMENT = 1_024;

    private static final Duration AT_MOST = Duration.ofMinutes(3);
    private static final long FIRST = 5_000 * ALIGNMENT;
    private static final long LAST = 6_000 * ALIGNMENT - 1;
    private static final int MAX_SIZE = 100;
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** A directory for files of the test. */
    @TempDir
    protected Path directory;

    private final String sequence = newName();
    /** How many calls of this test have failed, each of which may have reserved a block. */
    private final AtomicLong failures = new AtomicLong();

    /** Creates the suite. */
    protected BlockStoreContract() {}

    // --- implemented by the test of a store

    /**
     * Opens a store. Each call for the same sequences opens another handle to the same data, as another process would.
     * For a store in memory, all these calls return the same object.
     *
     * @param first the lowest integer of the sequences, a multiple of {@link #ALIGNMENT}
     * @param last the highest integer of the sequences, 1 less than a multiple of {@link #ALIGNMENT}
     * @param sequences names that were not used before, or all names of an earlier call
     * @return a store with these sequences
     * @throws Exception if the store cannot be opened
     */
    protected abstract BlockStore open(long first, long last, String... sequences) throws Exception;

    /**
     * Opens a store that sometimes commits a change and then loses the answer, as if a connection broke.
     *
     * @param losesAnswer returns whether to lose the answer; called at least once for each committed change
     * @param first as for {@link #open}
     * @param last as for {@link #open}
     * @param sequences as for {@link #open}
     * @return the store; empty if answers cannot be lost between a store and its data
     * @throws Exception if the store cannot be opened
     */
    protected Optional<BlockStore> openLosingAnswers(
            BooleanSupplier losesAnswer, long first, long last, String... sequences) throws Exception {
        return Optional.empty();
    }

    /**
     * Describes another process that uses the store.
     *
     * @param opener the class that opens the store in that process
     * @param arguments the arguments of the opener
     */
    public record OtherProcess(Class<? extends BlockStoreOpener> opener, List<String> arguments) {}

    /**
     * Returns how another process opens a handle to the data of the last {@link #open}.
     *
     * @return the other process; empty if other processes cannot use the data
     */
    protected Optional<OtherProcess> otherProcess() {
        return Optional.empty();
    }

    /** The server that holds the data. */
    public interface Server {
        /**
         * Kills the server, as {@code kill -9} does.
         *
         * @throws Exception if the server cannot be killed
         */
        void kill() throws Exception;

        /**
         * Starts the server again with its data, and waits until it serves.
         *
         * @throws Exception if the server cannot be started
         */
        void restart() throws Exception;
    }

    /**
     * Returns the server that holds the data of the last {@link #open}.
     *
     * @return the server; empty if there is none that can be killed
     */
    protected Optional<Server> server() {
        return Optional.empty();
    }

    /** The code to run within a transaction. */
    public interface Body {
        /**
         * Runs the code.
         *
         * @throws Exception if the code fails
         */
        void run() throws Exception;
    }

    /**
     * Begins a transaction, as an application would, with the resources of the store, for example its connection pool.
     * Runs code within the transaction, and then rolls it back.
     *
     * @param body the code
     * @return whether the body ran; false if there are no transactions
     * @throws Exception if the code or the transaction fails
     */
    protected boolean runAndRollBack(Body body) throws Exception {
        return false;
    }

    /**
     * Returns whether sequences have to be defined before they are used.
     *
     * @return false, if the store accepts any name
     */
    protected boolean needsDefinitions() {
        return true;
    }

    /**
     * Returns whether the store knows the first values of its sequences.
     *
     * @return false if the store cannot reject a sequence that begins below the configured first value
     */
    protected boolean knowsFirstValues() {
        return true;
    }

    /**
     * Returns the number of stripes, if the store stripes the sequences of another store. Such a store divides a first
     * value by this number before it passes the value on, so the other store's messages contain the quotient.
     *
     * @return 1 if the store has no stripes
     */
    protected int stripes() {
        return 1;
    }

    /**
     * Returns how many requests of this test's stores to their data have failed so far, although the calls of the
     * stores have returned blocks. Each such request may have reserved a block that no call has returned, for example
     * if its answer came too late. The suite counts calls that fail.
     *
     * @return 0 if no store repeats a request by itself
     */
    protected long requestsWithoutAnswer() {
        return 0;
    }

    // --- single calls

    /** Repeated requests for the greatest size return all integers of the sequence. */
    @Test
    void theGreatestSizeGivesWhatThereIs() throws Exception {
        long last = FIRST + 16 * ALIGNMENT - 1;
        try (BlockStore store = open(FIRST, last, sequence)) {
            BlockLedger ledger = new BlockLedger(FIRST, last);
            reserveAll(store, sequence, Long.MAX_VALUE, ledger);
            requireAll(ledger, Long.MAX_VALUE);
        }
    }

    @Test
    void badArgumentsAreRefused() throws Exception {
        try (BlockStore store = open(FIRST, FIRST + ALIGNMENT - 1, sequence)) {
            for (long size : new long[] {0, -1, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> store.reserve(sequence, size))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(Long.toString(size));
            }
            assertThatNullPointerException().isThrownBy(() -> store.reserve(nothing(), 1));
            for (String name :
                    List.of("", "a\0", "\na", "a ", "\u202Ea", "\uD800", "a".repeat(SequenceName.MAX_LENGTH + 1))) {
                assertThatThrownBy(() -> store.reserve(name, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("name must ");
            }
            BlockLedger ledger = new BlockLedger(FIRST, FIRST + ALIGNMENT - 1);
            reserveAll(store, sequence, MAX_SIZE, ledger);
            requireAll(ledger, MAX_SIZE);
        }
    }

    @SuppressWarnings("NullAway") // The point of the test.
    private static String nothing() {
        return null;
    }

    /** A process that repeatedly fails to create the sequence, as in a restart loop, uses up no integers. */
    @Test
    void aSequenceThatBeginsBelowTheFirstValueIsRefusedAndCostsNothing() throws Exception {
        long last = FIRST + 4 * ALIGNMENT - 1;
        long above = FIRST + ALIGNMENT;
        try (BlockStore store = open(FIRST, last, sequence)) {
            for (int i = 0; i < 20; i++) {
                store.prepare(sequence, i % 2 == 0 ? FIRST : 0);
                if (knowsFirstValues()) {
                    assertThatThrownBy(() -> create(sequence, above, store))
                            .isInstanceOf(NonTransientBlockStoreException.class)
                            .hasMessageContaining(sequence)
                            .hasMessageContaining(Long.toString(FIRST / stripes()))
                            .hasMessageContaining(Long.toString(above / stripes()));
                }
            }
            BlockLedger ledger = new BlockLedger(FIRST, last);
            reserveAll(store, sequence, MAX_SIZE, ledger);
            requireAll(ledger, MAX_SIZE);
        }
    }

    @Test
    void aSequenceThatIsNotDefinedIsRefused() throws Exception {
        assumeTrue(needsDefinitions(), "any name will do");
        String unknown = newName();
        try (BlockStore store = open(FIRST, FIRST + ALIGNMENT - 1, sequence)) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> create(unknown, FIRST, store))
                        .isInstanceOf(NonTransientBlockStoreException.class)
                        .hasMessageContaining(unknown);
                assertThatThrownBy(() -> store.reserve(unknown, 10))
                        .isInstanceOf(NonTransientBlockStoreException.class)
                        .hasMessageContaining(unknown);
            }
            BlockLedger ledger = new BlockLedger(FIRST, FIRST + ALIGNMENT - 1);
            reserveAll(store, sequence, MAX_SIZE, ledger);
            requireAll(ledger, MAX_SIZE);
        }
    }

    private static void create(String name, long firstValue, BlockStore store) {
        IntegerSequenceConfig config = IntegerSequenceConfig.builder(name)
                .firstValue(firstValue)
                .store(store)
                .build();
        SnowcastSystem.standaloneIntegerSequence(config).close();
    }

    @Test
    void allIntegersComeAndThenTheSequenceIsExhausted() throws Exception {
        long last = Integer.MAX_VALUE;
        long first = last + 1 - 4 * ALIGNMENT;
        try (BlockStore store = open(first, last, sequence);
                BlockStore other = open(first, last, sequence)) {
            BlockLedger ledger = new BlockLedger(first, last);
            reserveAll(store, sequence, MAX_SIZE, ledger);
            reserveAll(other, sequence, MAX_SIZE, ledger);
            requireAll(ledger, MAX_SIZE);
            for (BlockStore handle : List.of(store, other, store, other)) {
                assertThatThrownBy(() -> handle.reserve(sequence, 1))
                        .isInstanceOf(BlockStoreExhaustedException.class)
                        .hasMessageContaining(sequence);
            }
        }
    }

    /** Names that differ only in case, or in the last of many characters, belong to different sequences. */
    @Test
    void sequencesAreIndependent() throws Exception {
        String second = newName();
        String third = second.toUpperCase(java.util.Locale.ROOT);
        // Stores that stripe the sequences of another store append a number to the name, so leave space for it.
        String longest = newName()
                + " \u00e4\u4e16\ud83d\ude80@/%".repeat(SequenceName.MAX_LENGTH).substring(0, 200);
        String other = longest + "b";
        long last = FIRST + ALIGNMENT - 1;
        try (BlockStore store = open(FIRST, last, sequence, second, third, longest, other)) {
            BlockLedger ofSecond = new BlockLedger(FIRST, last);
            ofSecond.add(reserve(store, second, 10));
            for (String name : List.of(sequence, third, longest, other)) {
                BlockLedger ledger = new BlockLedger(FIRST, last);
                reserveAll(store, name, MAX_SIZE, ledger);
                requireAll(ledger, MAX_SIZE);
            }
            reserveAll(store, second, MAX_SIZE, ofSecond);
            requireAll(ofSecond, MAX_SIZE);
        }
    }

    /** The integers of a closed handle stay reserved, and other handles continue. */
    @Test
    void aHandleThatIsClosedTakesNothingWithIt() throws Exception {
        BlockLedger ledger = new BlockLedger(FIRST, LAST);
        try (BlockStore first = open(FIRST, LAST, sequence)) {
            ledger.add(reserve(first, sequence, 10));
            try (BlockStore second = open(FIRST, LAST, sequence)) {
                ledger.add(reserve(second, sequence, 10));
            }
            ledger.add(reserve(first, sequence, 10));
        }
        try (BlockStore third = open(FIRST, LAST, sequence)) {
            ledger.add(reserve(third, sequence, 10));
        }
    }

    /** A call keeps the interrupt status that was set before it, and returns unique integers or fails. */
    @Test
    void interruptsAreKeptAndBreakNothing() throws Exception {
        try (BlockStore store = open(FIRST, LAST, sequence);
                BlockStore other = open(FIRST, LAST, sequence)) {
            BlockLedger ledger = new BlockLedger(FIRST, LAST);
            for (int i = 0; i < 20; i++) {
                Thread.currentThread().interrupt();
                try {
                    ledger.add(store.reserve(sequence, 10));
                } catch (BlockStoreException e) {
                    // The call may fail because of the interrupt. Integers that it has reserved are then a gap.
                } finally {
                    assertThat(Thread.interrupted()).as("kept").isTrue();
                }
                ledger.add(reserve(other, sequence, 10));
            }
            ledger.add(reserve(store, sequence, 10));
        }
    }

    // --- many at a time

    @Test
    void threadsAndHandlesNeverOverlap() throws Exception {
        long last = FIRST + 16 * ALIGNMENT - 1;
        BlockLedger ledger = new BlockLedger(FIRST, last);
        try (BlockStore first = open(FIRST, last, sequence);
                BlockStore second = open(FIRST, last, sequence);
                BlockStore third = open(FIRST, last, sequence)) {
            List<BlockStore> handles = List.of(first, second, third);
            inThreads(6, index -> reserveAll(handles.get(index % 3), sequence, MAX_SIZE, ledger));
        }
        requireAll(ledger, MAX_SIZE);
    }

    /** Processes never get the same integer, even if some of them are killed. */
    @Test
    @Tag("faults")
    void processesNeverOverlap() throws Exception {
        try (BlockStore store = open(FIRST, LAST, sequence)) {
            Optional<OtherProcess> other = otherProcess();
            assumeTrue(other.isPresent(), "the data is that of one process");
            BlockLedger ledger = new BlockLedger(FIRST, LAST);
            List<ReserverProcess> processes = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    processes.add(start(other.get(), i));
                }
                for (ReserverProcess process : processes) {
                    process.awaitMore(50);
                    ledger.add(reserve(store, sequence, MAX_SIZE));
                }
                processes.get(0).close();
                processes.get(1).awaitMore(50);
                processes.get(1).stop();
                processes.get(2).stop();
            } finally {
                processes.forEach(ReserverProcess::close);
            }
            processes.forEach(process -> process.blocks().forEach(ledger::add));
            ledger.add(reserve(store, sequence, MAX_SIZE));
        }
    }

    private ReserverProcess start(OtherProcess other, int index) throws Exception {
        Path own = Files.createDirectory(directory.resolve("process" + index));
        return ReserverProcess.start(own, other.opener(), other.arguments(), sequence, MAX_SIZE);
    }

    // --- returned integers

    /** Integers that were given back are reserved at most once more. */
    @Test
    void givingBackNeverLeadsToAnOverlap() throws Exception {
        long last = FIRST + 8 * ALIGNMENT - 1;
        BlockLedger used = new BlockLedger(FIRST, last);
        long seed = random().nextLong();
        try (BlockStore first = open(FIRST, last, sequence);
                BlockStore second = open(FIRST, last, sequence)) {
            inThreads(
                    4,
                    index ->
                            useSomeAndGiveBackTheRest(index % 2 == 0 ? first : second, used, new Random(seed + index)));
        }
        assertThat(used.count()).isPositive();
    }

    private void useSomeAndGiveBackTheRest(BlockStore store, BlockLedger used, Random random) throws Exception {
        for (int i = 0; i < 50; i++) {
            Optional<Block> reserved = reserveUnlessExhausted(store, sequence, 1 + random.nextInt(MAX_SIZE));
            if (reserved.isEmpty()) {
                return;
            }
            Block block = reserved.get();
            long usedCount = random.nextInt((int) block.count() + 1);
            if (usedCount > 0) {
                used.add(block.part(0, usedCount));
            }
            if (usedCount < block.count()) {
                giveBack(store, block.part(usedCount, block.count()));
            }
        }
    }

    private void giveBack(BlockStore store, Block rest) {
        try {
            store.giveBack(sequence, rest);
        } catch (BlockStoreException e) {
            // The store may or may not have taken the integers back; this test no longer uses them.
        }
    }

    // --- faults

    @Test
    void whatIsReservedWithoutAnAnswerIsNotReservedAgain() throws Exception {
        Random random = random();
        AtomicInteger lost = new AtomicInteger();
        BooleanSupplier losesAnswer = () -> {
            boolean loses;
            synchronized (random) {
                loses = random.nextInt(3) == 0;
            }
            if (loses) {
                lost.incrementAndGet();
            }
            return loses;
        };
        Optional<BlockStore> losing = openLosingAnswers(losesAnswer, FIRST, LAST, sequence);
        assumeTrue(losing.isPresent(), "there is nothing that could be lost");
        BlockLedger ledger = new BlockLedger(FIRST, LAST);
        long reserved = 0;
        try (BlockStore store = losing.get();
                BlockStore other = open(FIRST, LAST, sequence)) {
            for (int i = 0; i < 30; i++) {
                Block block = reserve(store, sequence, 10);
                ledger.add(block);
                ledger.add(reserve(other, sequence, 10));
                reserved += 2;
                if (i % 5 == 0) {
                    giveBack(store, reserve(store, sequence, 10));
                }
            }
        }
        assertThat(lost.get()).as("answers lost").isPositive();
        assertThat(ledger.count()).isGreaterThanOrEqualTo(reserved);
    }

    /** A block that was reserved within a transaction of the caller stays reserved after a rollback. */
    @Test
    void aTransactionOfTheCallerThatIsRolledBackChangesNothing() throws Exception {
        try (BlockStore store = open(FIRST, LAST, sequence)) {
            BlockLedger ledger = new BlockLedger(FIRST, LAST);
            for (int i = 0; i < 5; i++) {
                boolean ran = runAndRollBack(() -> ledger.add(reserve(store, sequence, 10)));
                assumeTrue(ran, "there are no transactions");
                ledger.add(reserve(store, sequence, 10));
            }
            assertThat(ledger.count()).isPositive();
        }
    }

    @Test
    void aKilledServerForgetsNothing() throws Exception {
        try (BlockStore store = open(FIRST, LAST, sequence)) {
            Optional<Server> server = server();
            assumeTrue(server.isPresent(), "there is no server");
            BlockLedger ledger = new BlockLedger(FIRST, LAST);
            AtomicBoolean ends = new AtomicBoolean();
            AtomicReference<String> problem = new AtomicReference<>("none");
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                List<Future<?>> reservers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    reservers.add(threads.submit(() -> reserveUntil(ends, store, ledger, problem)));
                }
                awaitMore(ledger, 500, problem, reservers);
                server.get().kill();
                server.get().restart();
                awaitMore(ledger, 500, problem, reservers);
                ends.set(true);
                for (Future<?> reserver : reservers) {
                    get(reserver);
                }
            } finally {
                ends.set(true);
                threads.shutdownNow();
            }
        }
    }

    private Object reserveUntil(
            AtomicBoolean ends, BlockStore store, BlockLedger ledger, AtomicReference<String> problem) {
        while (!ends.get()) {
            try {
                ledger.add(store.reserve(sequence, 10));
            } catch (BlockStoreException e) {
                // Expected while the server is down.
                problem.set(String.valueOf(e.getMessage()));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
        return ends;
    }

    private static void awaitMore(
            BlockLedger ledger, long count, AtomicReference<String> problem, List<Future<?>> reservers)
            throws Exception {
        long goal = ledger.count() + count;
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (ledger.count() < goal) {
            if (System.nanoTime() - deadline >= 0) {
                throw new AssertionError("not within " + AT_MOST + ": " + goal + " integers, but " + ledger.count()
                        + "; last problem: " + problem.get());
            }
            for (Future<?> reserver : reservers) {
                if (reserver.isDone()) {
                    // A reserver ends early only because of an error, such as an integer that was reserved twice.
                    get(reserver);
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    // --- helpers

    /** Returns a name that no test of this JVM has used before, in lower case. */
    private static String newName() {
        return "contract" + NAMES.incrementAndGet();
    }

    private static Random random() {
        long seed = Long.getLong("snowcast.seed", System.nanoTime());
        System.out.println("-Dsnowcast.seed=" + seed);
        return new Random(seed);
    }

    /** Asserts that all integers were reserved, except those that requests without an answer may have reserved. */
    private void requireAll(BlockLedger ledger, long size) {
        long gaps = failures.get() + requestsWithoutAnswer();
        ledger.requireAllBut(gaps > Long.MAX_VALUE / size ? Long.MAX_VALUE : gaps * size);
    }

    private Block reserve(BlockStore store, String sequence, long size) {
        return reserveUnlessExhausted(store, sequence, size)
                .orElseThrow(() -> new AssertionError("exhausted: " + sequence + " in " + store));
    }

    private void reserveAll(BlockStore store, String sequence, long size, BlockLedger ledger) {
        while (true) {
            Optional<Block> block = reserveUnlessExhausted(store, sequence, size);
            if (block.isEmpty()) {
                return;
            }
            ledger.add(block.get());
        }
    }

    private Optional<Block> reserveUnlessExhausted(BlockStore store, String sequence, long size) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (true) {
            try {
                Block block = store.reserve(sequence, size);
                assertThat(block.count()).isBetween(1L, size);
                return Optional.of(block);
            } catch (BlockStoreExhaustedException e) {
                return Optional.empty();
            } catch (BlockStoreException e) {
                failures.incrementAndGet();
                if (System.nanoTime() - deadline >= 0) {
                    throw new AssertionError("not within " + AT_MOST + ": a block of " + sequence, e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
        }
    }

    private interface ThreadBody {
        void run(int index) throws Exception;
    }

    private static void inThreads(int count, ThreadBody body) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int index = i;
                ends.add(threads.submit(() -> {
                    body.run(index);
                    return index;
                }));
            }
            for (Future<?> end : ends) {
                get(end);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void get(Future<?> end) throws Exception {
        try {
            end.get(2 * AT_MOST.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("a thread failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a thread did not end", e);
        }
    }
}
