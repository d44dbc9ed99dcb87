// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.SequenceName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.stream.Stream;

/**
 * Creates and changes the tables of shards. Optional: the files {@code postgresql.sql}, also for H2, and
 * {@code mariadb.sql}, also for MySQL, beside this class do the same by hand.
 *
 * <p>All methods may be called again, by several processes at the same time, and after a process was killed: they
 * complete what is missing. They block at most as long as the time-outs allow for each statement. Thread-safe.
 */
public final class JdbcSchema {
    private static final System.Logger LOGGER = System.getLogger(JdbcSchema.class.getName());

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
        Map<Shard, Generation> present = newest();
        long newest = newestNumber(present);
        String installation =
                installation(present).orElseGet(() -> UUID.randomUUID().toString());
        for (Shard shard : shards.all()) {
            Generation known = present.get(shard);
            if (known == null && (newest > 1 || isInUse(present, newest))) {
                throw new ShardMismatchException(shard + " is new, and others of " + shards + " are of generation "
                        + newest + ": change the list of shards instead");
            }
            if (known == null) {
                known = insert(shard, 1, windowSize, installation);
            }
            if (!known.isFor(shard, windowSize)) {
                throw isAnother(shard, known, windowSize);
            }
            if (shard.index() == 0) {
                // Where several processes create the tables at the same time, the first gives the name.
                installation = known.installation();
            }
            ShardCheck.requireSameInstallation(shard, known.installation(), installation);
        }
    }

    /**
     * Makes this list of shards, and this window size, the present one: for more shards, fewer shards, or another
     * order. At least one must be a shard of the present list. Afterwards run a {@link WindowAgent} with the new list;
     * agents with the former list fail from then on. Stores with the former list go on until the list is changed once
     * more.
     *
     * @param windowSize how many integers a window has from then on, 1 or more
     * @throws IllegalArgumentException if {@code windowSize} is out of range
     * @throws ShardMismatchException if none of these databases is a shard, or no agent has completed the previous
     *     change
     * @throws BlockStoreException if a shard cannot be reached, which the message names, or another change is under way
     */
    public void changeShards(long windowSize) {
        requireWindowSize(windowSize);
        createTables();
        Map<Shard, Generation> present = newest();
        String installation = installation(present)
                .orElseThrow(
                        () -> new ShardMismatchException("none of " + shards + " is a shard: create them instead"));
        requireDistinct(present);
        long newest = newestNumber(present);
        long target = isUnderWay(present, windowSize) ? newest : newest + 1;
        requireAdopted(target - 1);
        // New shards first: if one of them is listed twice, the present shards stay unchanged.
        List<Shard> newFirst = Stream.concat(
                        shards.all().stream().filter(shard -> !present.containsKey(shard)), present.keySet().stream())
                .toList();
        for (Shard shard : newFirst) {
            Generation known = present.get(shard);
            if (known == null || known.number() < target) {
                known = insert(shard, target, windowSize, installation);
            }
            if (!known.isFor(shard, windowSize)) {
                throw isAnother(shard, known, windowSize);
            }
        }
    }

    /**
     * Whether the newest generation, in the shards that have it, is this list: then a change was killed before its end,
     * or is called again.
     */
    private boolean isUnderWay(Map<Shard, Generation> present, long windowSize) {
        long newest = newestNumber(present);
        for (Shard shard : shards.all()) {
            Generation known = present.get(shard);
            if (known == null || known.number() < newest) {
                // A generation in use had reached every shard, so this database is another one in the same place.
                if (isInUse(present, newest)) {
                    return false;
                }
            } else if (!known.isFor(shard, windowSize)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isInUse(Map<Shard, Generation> present, long number) {
        return present.values().stream()
                .anyMatch(generation -> generation.number() == number && generation.isAdopted());
    }

    private static void requireDistinct(Map<Shard, Generation> present) {
        Map<List<Long>, Shard> seen = new HashMap<>();
        present.forEach((shard, generation) -> {
            Shard other = seen.put(List.of(generation.number(), (long) generation.shardIndex()), shard);
            if (other != null) {
                throw new ShardMismatchException("the databases of " + other + " and " + shard + " are both "
                        + generation + ": is one listed twice?");
            }
        });
    }

    /**
     * Defines a sequence, in one shard; the next run of a {@link WindowAgent} carries it to the others.
     *
     * @param name its name, which {@link SequenceName} allows: 1 to 255 characters, no control characters
     * @param firstValue its lowest integer, 0 or more, such as one above identifiers that exist
     * @param lastValue its highest integer, at least {@code firstValue} and below {@code Long.MAX_VALUE}
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if a value is out of range, or the sequence is defined with others
     * @throws BlockStoreException if a shard cannot be reached, which the message names
     */
    public void defineSequence(String name, long firstValue, long lastValue) {
        if (isDefined(name, firstValue, lastValue)) {
            return;
        }
        shards.insertIfAbsent(
                shards.all().get(0), "", transaction -> tables.define(transaction, name, firstValue, lastValue));
        // Another process may have defined it first, with other values.
        if (!isDefined(name, firstValue, lastValue)) {
            throw new BlockStoreException("sequence " + name + " was deleted while it was defined in " + shards);
        }
    }

    private boolean isDefined(String name, long firstValue, long lastValue) {
        SequenceName.require(name);
        if (firstValue < 0 || lastValue < firstValue || lastValue == Long.MAX_VALUE) {
            throw new IllegalArgumentException("firstValue must be >= 0, lastValue at least firstValue and below "
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
        return isKnown;
    }

    private static void requireWindowSize(long windowSize) {
        if (windowSize < 1) {
            throw new IllegalArgumentException("windowSize must be >= 1: " + windowSize);
        }
    }

    // --- tables

    private void createTables() {
        for (Shard shard : shards.all()) {
            try {
                shard.call(transaction -> createTables(shard, transaction));
            } catch (SQLException e) {
                if (!Tables.isDuplicateKey(e) && !Tables.isSyntaxOrAccess(e)) {
                    throw shards.failed(shard, "", e);
                }
                // IF NOT EXISTS may fail where another process creates the same table at the same time.
                LOGGER.log(System.Logger.Level.DEBUG, "tried again", e);
                on(shard, transaction -> createTables(shard, transaction));
            }
        }
    }

    private boolean createTables(Shard shard, Transaction transaction) throws SQLException {
        Dialect dialect = Dialect.of(transaction);
        dialect.requireDurable(shard, transaction);
        for (String statement : statements(dialect.script())) {
            transaction.update(statement);
        }
        return true;
    }

    private List<String> statements(String script) {
        try (InputStream stream = JdbcSchema.class.getResourceAsStream(script)) {
            if (stream == null) {
                throw new IllegalStateException("the jar must contain " + script);
            }
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("(?m)^--.*$", "")
                    .replaceAll("\\bid_sequences", Matcher.quoteReplacement(tables.windows()));
            return Stream.of(text.split(";"))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- generations

    /** Returns the newest generation of each database that is a shard already, in the order of the list. */
    private Map<Shard, Generation> newest() {
        Map<Shard, Generation> newest = new LinkedHashMap<>();
        for (Shard shard : shards.all()) {
            newestOf(shard).ifPresent(generation -> newest.put(shard, generation));
        }
        return newest;
    }

    private static long newestNumber(Map<Shard, Generation> present) {
        return present.values().stream().mapToLong(Generation::number).max().orElse(0);
    }

    private static Optional<String> installation(Map<Shard, Generation> present) {
        Optional<String> first =
                present.values().stream().map(Generation::installation).findFirst();
        present.forEach((shard, generation) ->
                ShardCheck.requireSameInstallation(shard, generation.installation(), first.orElseThrow()));
        return first;
    }

    private Optional<Generation> newestOf(Shard shard) {
        return on(shard, tables::generations).stream().findFirst();
    }

    /** Inserts a generation, unless another process does; returns the newest one afterwards. */
    private Generation insert(Shard shard, long number, long windowSize, String installation) {
        shards.insertIfAbsent(
                shard,
                "",
                transaction -> transaction.update(
                        "INSERT INTO " + tables.shard()
                                + " (generation, shard_index, shard_count, window_size, installation)"
                                + " VALUES (?, ?, ?, ?, ?)",
                        number,
                        shard.index(),
                        shard.count(),
                        windowSize,
                        installation));
        return newestOf(shard).orElseThrow();
    }

    /**
     * Fails unless every sequence has gone over to the generation before a change: only then do the shards that stay
     * know an upper bound of all windows.
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
                + present
                + ": are addresses in another order, or is one listed twice? To change the list of shards, change the"
                + " shards");
    }

    // --- calls

    private <T> T on(Shard shard, Shard.Work<T> work) {
        return shards.call(shard, "", work);
    }
}
