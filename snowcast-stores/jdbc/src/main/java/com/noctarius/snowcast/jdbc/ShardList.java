// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Stores a list of databases as the list of shards. Every database stores the whole list in the row of a generation.
 * The number of the generation is the key of the row, so a database accepts only the first of two lists for one
 * generation. The rows are inserted in the order of the databases' IDs. Therefore two concurrent changes meet in the
 * first database that both lists contain, and only one change continues. Not thread-safe.
 */
final class ShardList {
    /** The maximum length of the IDs of all databases, separated by commas. */
    static final int MAX_LENGTH = 4_000;

    private final JdbcShards shards;
    private final Tables tables;
    private final long windowSize;
    private final Map<Shard, Database> databases = new LinkedHashMap<>();
    private final String databaseIds;
    private final Map<Shard, Generation> present = new LinkedHashMap<>();

    /** Reads the present state of the databases. */
    ShardList(JdbcShards shards, long windowSize) {
        this.shards = shards;
        this.tables = shards.tables();
        this.windowSize = windowSize;
        for (Shard shard : shards.all()) {
            Database database = shards.call(shard, "", transaction -> ShardCheck.database(shard, tables, transaction))
                    .known();
            databases.forEach((other, known) -> {
                if (known.databaseId().equals(database.databaseId())) {
                    throw new ShardMismatchException(other + " and " + shard + " have the same database, "
                            + database.databaseId() + ": is one listed twice, or copied from the other?");
                }
            });
            databases.put(shard, database);
            newestOf(shard).ifPresent(generation -> present.put(shard, generation));
        }
        this.databaseIds = databases.values().stream().map(Database::databaseId).collect(Collectors.joining(","));
        if (databaseIds.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the IDs of all databases must have at most " + MAX_LENGTH
                    + " characters: " + databaseIds.length());
        }
    }

    /** Makes this list the first list of shards, or completes an interrupted call. */
    void create() {
        for (Shard shard : shards.all()) {
            if (!present.containsKey(shard) && (newestNumber() > 1 || isInUse(newestNumber()))) {
                throw new ShardMismatchException(shard + " is new, but other shards of " + shards + " have generation "
                        + newestNumber() + ": call changeShards instead of create");
            }
        }
        String installation = installation().orElseGet(() -> UUID.randomUUID().toString());
        present.forEach(this::requireThis);
        boolean isFirst = true;
        for (Shard shard : byId()) {
            Generation known = present.get(shard);
            known = known == null ? insert(shard, 1, installation) : withList(shard, known);
            requireThis(shard, known);
            if (isFirst) {
                // If several processes run this at the same time, the row of the first shard names the installation.
                installation = known.installation();
                isFirst = false;
            }
            ShardCheck.requireSameInstallation(shard, known.installation(), installation);
        }
    }

    /** Writes this list into the rows of shards that have a generation, but no list yet. */
    void complete() {
        for (Shard shard : byId()) {
            Generation known = present.get(shard);
            if (known == null) {
                throw new ShardMismatchException(shard + " has no record of which shard it is");
            }
            requireThis(shard, withList(shard, known));
        }
    }

    /** Replaces the present list by this list, or completes an interrupted call. */
    void change(Set<String> givenUp) {
        String installation = installation()
                .orElseThrow(() -> new ShardMismatchException(
                        "no database of " + shards + " is a shard yet: call create instead"));
        long target = isUnderWay() ? newestNumber() : newestNumber() + 1;
        List<Generation> all = new ArrayList<>();
        for (Shard shard : shards.all()) {
            all.addAll(generations(shard));
        }
        requireAdopted(target - 1, all);
        requireMajority(target - 1, all, givenUp);
        present.forEach((shard, known) -> distrustIfSetBack(shard, known, all));
        for (Shard shard : byId()) {
            Generation known = present.get(shard);
            if (known == null || known.number() < target) {
                known = insert(shard, target, installation);
            }
            requireThis(shard, known);
        }
    }

    /**
     * Returns whether an earlier call has already begun to write this list, or has completed it: whether every database
     * that has the newest generation has it with this list. Returns false if that generation is in use and a database
     * lacks it.
     */
    private boolean isUnderWay() {
        long newest = newestNumber();
        for (Shard shard : shards.all()) {
            Generation known = present.get(shard);
            if (known == null || known.number() < newest) {
                // A generation in use has reached every shard, so this database was not in the list, or was set back.
                if (isInUse(newest)) {
                    return false;
                }
            } else if (!isThis(shard, known)) {
                return false;
            }
        }
        return true;
    }

    private boolean isInUse(long number) {
        return present.values().stream()
                .anyMatch(generation -> generation.number() == number && generation.isAdopted());
    }

    private long newestNumber() {
        return present.values().stream().mapToLong(Generation::number).max().orElse(0);
    }

    private Optional<String> installation() {
        Optional<String> first =
                present.values().stream().map(Generation::installation).findFirst();
        present.forEach((shard, generation) ->
                ShardCheck.requireSameInstallation(shard, generation.installation(), first.orElseThrow()));
        return first;
    }

    /**
     * Throws unless every sequence has moved to the generation before the change, because otherwise the remaining
     * shards have no upper bound of all windows. Also throws for a generation of which a rejected change has left only
     * a row, because no sequence ever moves to it.
     */
    private void requireAdopted(long number, List<Generation> all) {
        List<Generation> former =
                all.stream().filter(generation -> generation.number() == number).toList();
        if (number > 0 && former.isEmpty()) {
            throw new ShardMismatchException("no database of " + shards + " was a shard in generation " + number
                    + ": at least one database of that list must stay");
        }
        if (number > 0 && former.stream().noneMatch(Generation::isAdopted)) {
            Shard knowing = present.entrySet().stream()
                    .filter(entry -> entry.getValue().number() >= number)
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
            throw new ShardMismatchException("no window agent has run since generation " + number + " on " + knowing
                    + ": run one with the list of that generation first, " + lists(former) + "; the new list is ["
                    + databaseIds + "]");
        }
    }

    /**
     * Throws unless more than half of the former list stays, not counting given-up databases. Therefore two changes of
     * one list share a database, which accepts only the first change. Also, no shard that failed over is recovered with
     * data of shards that were removed meanwhile, see {@link ShardState.All#knowing}.
     */
    private void requireMajority(long number, List<Generation> all, Set<String> givenUp) {
        for (Generation former : all) {
            if (former.number() == number && !former.databaseIds().isEmpty()) {
                List<String> present = former.databases().stream()
                        .filter(id -> !givenUp.contains(id))
                        .toList();
                long kept = present.stream()
                        .filter(List.of(databaseIds.split(","))::contains)
                        .count();
                if (2 * kept <= present.size()) {
                    throw new ShardMismatchException("the list [" + databaseIds + "] keeps " + kept + " of "
                            + present.size() + " databases of the present one, " + present + ", and must keep more than"
                            + " half: leave out fewer at a time, or give up the others for good");
                }
            }
        }
    }

    private static String lists(List<Generation> generations) {
        return generations.stream()
                .map(generation -> "[" + generation.databaseIds() + "]")
                .distinct()
                .collect(Collectors.joining(" or "));
    }

    /**
     * Marks a database that lacks a later generation, although that generation is in use and contains the database.
     * Such a database may have lost windows, too.
     */
    private void distrustIfSetBack(Shard shard, Generation known, List<Generation> all) {
        String id = id(shard);
        if (all.stream()
                .anyMatch(other -> other.number() > known.number()
                        && other.isAdopted()
                        && other.databases().contains(id))) {
            write(
                    shard,
                    "UPDATE " + tables.database() + " SET server_id = ? WHERE {durable} AND database_id = ?",
                    SharedLosses.RESTORED);
        }
    }

    // --- rows

    private List<Shard> byId() {
        return shards.all().stream().sorted(Comparator.comparing(this::id)).toList();
    }

    private Database database(Shard shard) {
        return Objects.requireNonNull(databases.get(shard));
    }

    private String id(Shard shard) {
        return database(shard).databaseId();
    }

    private void write(Shard shard, String sql, Object... values) {
        shards.write(shard, database(shard), "", sql, values);
    }

    private List<Generation> generations(Shard shard) {
        return shards.call(shard, database(shard), "", tables::generations);
    }

    private Optional<Generation> newestOf(Shard shard) {
        return generations(shard).stream().findFirst();
    }

    /** Inserts a generation, unless another process has inserted it; returns the newest generation afterwards. */
    private Generation insert(Shard shard, long number, String installation) {
        write(
                shard,
                "INSERT INTO " + tables.shard()
                        + " (generation, shard_index, shard_count, window_size, installation, database_ids)"
                        + " SELECT ?, ?, ?, ?, ?, ?{dual} WHERE NOT EXISTS (SELECT 1 FROM " + tables.shard()
                        + " WHERE generation >= ?) AND {durable} AND {same}",
                number,
                shard.index(),
                shard.count(),
                windowSize,
                installation,
                databaseIds,
                number);
        return written(shard);
    }

    /** Adds the list to a row without a list, unless another process has added it; returns the row afterwards. */
    private Generation withList(Shard shard, Generation known) {
        if (!known.databaseIds().isEmpty()) {
            return known;
        }
        write(
                shard,
                "UPDATE " + tables.shard() + " SET database_ids = ? WHERE generation = ? AND database_ids IN ('', '"
                        + Generation.NO_IDS + "') AND {durable} AND {same}",
                databaseIds,
                known.number());
        return written(shard);
    }

    private Generation written(Shard shard) {
        return newestOf(shard)
                .orElseThrow(() -> new ShardMismatchException("the database of " + shard
                        + " has lost the record that it is a shard: it failed over or was restored"
                        + " meanwhile; repeat the call"));
    }

    private boolean isThis(Shard shard, Generation generation) {
        return generation.isFor(shard) && generation.windowSize() == windowSize && generation.isOf(databaseIds);
    }

    private void requireThis(Shard shard, Generation known) {
        if (!isThis(shard, known)) {
            throw new ShardMismatchException("the database of " + shard + " with windows of " + windowSize + " is "
                    + known + ", and not of this list, [" + databaseIds + "]: are addresses in another order, or is"
                    + " one listed twice? To change the list of shards, change the shards");
        }
    }
}
