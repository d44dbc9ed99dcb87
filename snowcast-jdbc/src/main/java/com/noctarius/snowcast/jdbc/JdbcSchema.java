// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.regex.Matcher;

/**
 * Makes and changes the tables of shards. Optional: the files {@code postgresql.sql}, {@code mariadb.sql} and {@code h2.sql}
 * beside this class do the same by hand.
 *
 * <p>All methods may be called again, in other processes at one time, and after one was killed: they complete what is
 * missing. They block at most as long as the time-outs say for each statement. Thread-safe.
 */
public final class JdbcSchema {
    private final JdbcShards shards;
    private final Tables tables;

    /**
     * Takes the shards.
     *
     * @param shards all shards, in their order
     */
    public JdbcSchema(JdbcShards shards) {
        this.shards = shards;
        this.tables = shards.tables();
    }

    /**
     * Creates the tables where there are none, and tells each database which shard it is.
     *
     * @param windowSize how many integers a window has, 1 or more. No block is larger
     * @throws IllegalArgumentException if {@code windowSize} is out of range
     * @throws ShardMismatchException if a database is another shard already, or the window size another one; see
     *     {@link #changeShards(long)}
     * @throws BlockStoreException if a shard cannot be reached, which the message names
     */
    public void create(long windowSize) {
        requireWindowSize(windowSize);
        createTables();
        long newest = numbers().getMax();
        for (Shard shard : shards.all()) {
            Optional<Generation> present = newestOf(shard);
            if (present.isEmpty() && newest > 1) {
                throw new ShardMismatchException(shard + " is new, and others of " + shards + " are of generation "
                        + newest + ": change the list of shards instead");
            }
            if (present.isEmpty()) {
                insert(shard, 1, windowSize);
            } else if (!present.get().isFor(shard, windowSize)) {
                throw isAnother(shard, present.get(), windowSize);
            }
        }
    }

    /**
     * Makes this list of shards, and this window size, the present one: for more shards, for fewer, or in another order. At
     * least one must be a shard of the present list. Afterwards run a {@link WindowAgent} with the new list; agents with the
     * former one refuse from then on. Stores with the former list go on, until the list is changed once more.
     *
     * @param windowSize how many integers a window has from then on, 1 or more
     * @throws IllegalArgumentException if {@code windowSize} is out of range
     * @throws ShardMismatchException if none of these databases is a shard, or no agent has completed the change before
     * @throws BlockStoreException if a shard cannot be reached, which the message names, or another change is under way
     */
    public void changeShards(long windowSize) {
        requireWindowSize(windowSize);
        createTables();
        long newest = numbers().getMax();
        if (newest < 1) {
            throw new ShardMismatchException("none of " + shards + " is a shard: create them instead");
        }
        boolean isUnderWay = shards.all().stream()
                .flatMap(shard -> newestOf(shard).stream()
                        .filter(generation -> generation.number() == newest)
                        .map(generation -> generation.isFor(shard, windowSize)))
                .allMatch(same -> same);
        long target = isUnderWay ? newest : newest + 1;
        requireAdopted(target - 1);
        for (Shard shard : shards.all()) {
            Optional<Generation> present = newestOf(shard);
            if (present.isEmpty() || present.get().number() < target) {
                insert(shard, target, windowSize);
            } else if (!present.get().isFor(shard, windowSize)) {
                throw isAnother(shard, present.get(), windowSize);
            }
        }
    }

    /**
     * Defines a sequence, in one shard; the next run of a {@link WindowAgent} carries it to the others.
     *
     * @param name its name, 1 to 100 characters
     * @param firstValue its lowest integer, 0 or more, such as one above identifiers that exist
     * @param lastValue its highest integer, at least {@code firstValue} and below {@code Long.MAX_VALUE}
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if a value is out of range, or the sequence is defined with others
     * @throws BlockStoreException if a shard cannot be reached, which the message names
     */
    public void defineSequence(String name, long firstValue, long lastValue) {
        if (name.isEmpty() || name.length() > 100) {
            throw new IllegalArgumentException("name must have 1 to 100 characters: " + name);
        }
        if (firstValue < 0 || lastValue < firstValue || lastValue == Long.MAX_VALUE) {
            throw new IllegalArgumentException("firstValue must be >= 0, lastValue at least that and below "
                    + Long.MAX_VALUE + ": " + firstValue + ", " + lastValue);
        }
        boolean isKnown = false;
        for (Shard shard : shards.all()) {
            Optional<SequenceRow> row = on(shard, transaction -> tables.sequence(transaction, name));
            isKnown |= row.isPresent();
            if (row.isPresent() && (row.get().first() != firstValue || row.get().last() != lastValue)) {
                throw new IllegalArgumentException("sequence " + name + " must be from " + firstValue + " to "
                        + lastValue + ", and is on " + shard + ": " + row.get());
            }
        }
        if (!isKnown) {
            insertIfAbsent(shards.all().get(0), transaction -> {
                tables.define(transaction, name, firstValue, lastValue);
                return true;
            });
        }
    }

    private static void requireWindowSize(long windowSize) {
        if (windowSize < 1) {
            throw new IllegalArgumentException("windowSize must be >= 1: " + windowSize);
        }
    }

    // --- tables

    private void createTables() {
        for (Shard shard : shards.all()) {
            on(shard, transaction -> {
                Dialect dialect = Dialect.of(transaction);
                dialect.requireDurable(shard, transaction);
                for (String statement : statements(dialect.script())) {
                    transaction.update(statement);
                }
                return true;
            });
        }
    }

    private List<String> statements(String script) {
        try (InputStream stream = JdbcSchema.class.getResourceAsStream(script)) {
            if (stream == null) {
                throw new IllegalStateException("the jar must contain " + script);
            }
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("(?m)^--.*$", "")
                    .replaceAll("\\bid_sequences", Matcher.quoteReplacement(tables.windows()));
            return text.lines().reduce("", (all, line) -> all + line + '\n').transform(JdbcSchema::split);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> split(String text) {
        return List.of(text.split(";")).stream()
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    // --- generations

    private LongSummaryStatistics numbers() {
        return shards.all().stream()
                .flatMap(shard -> newestOf(shard).stream())
                .mapToLong(Generation::number)
                .summaryStatistics();
    }

    private Optional<Generation> newestOf(Shard shard) {
        return on(shard, tables::generations).stream().findFirst();
    }

    private void insert(Shard shard, long number, long windowSize) {
        boolean isInserted = insertIfAbsent(
                shard,
                transaction -> transaction.update(
                                "INSERT INTO " + tables.shard()
                                        + " (generation, shard_index, shard_count, window_size) VALUES (?, ?, ?, ?)",
                                number,
                                shard.index(),
                                shard.count(),
                                windowSize)
                        == 1);
        if (!isInserted) {
            Generation present = newestOf(shard).orElseThrow();
            if (!present.isFor(shard, windowSize)) {
                throw isAnother(shard, present, windowSize);
            }
        }
    }

    /**
     * A shard of the former list that is in the present one knows the bounds of all windows only if every sequence went over to
     * the former list, too.
     */
    private void requireAdopted(long number) {
        boolean isKnown = false;
        for (Shard shard : shards.all()) {
            for (Generation generation : on(shard, tables::generations)) {
                if (generation.number() == number) {
                    isKnown = true;
                    if (!generation.isAdopted()) {
                        throw new ShardMismatchException("no window agent has run since generation " + number + " on "
                                + shard + ": run one with the list of that time first");
                    }
                }
            }
        }
        if (number > 0 && !isKnown) {
            throw new ShardMismatchException(
                    "none of " + shards + " was a shard in generation " + number + ": at least one must stay");
        }
    }

    private static ShardMismatchException isAnother(Shard shard, Generation present, long windowSize) {
        return new ShardMismatchException("the database of " + shard + " with windows of " + windowSize + " is "
                + present + ": are addresses in another order? To change the list of shards, change the shards");
    }

    // --- calls

    private boolean insertIfAbsent(Shard shard, Shard.Work<Boolean> insert) {
        try {
            return shard.call(insert);
        } catch (SQLException e) {
            if (Tables.isDuplicateKey(e)) {
                return false;
            }
            throw failed(shard, e);
        }
    }

    private <T> T on(Shard shard, Shard.Work<T> work) {
        try {
            return shard.call(work);
        } catch (SQLException e) {
            throw failed(shard, e);
        }
    }

    private BlockStoreException failed(Shard shard, SQLException e) {
        return new BlockStoreException(shard + " in " + shards + " cannot be reached or refuses: " + e.getMessage(), e);
    }
}
