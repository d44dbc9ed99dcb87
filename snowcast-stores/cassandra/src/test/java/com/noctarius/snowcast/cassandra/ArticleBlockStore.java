// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Reserves blocks with the algorithm of MetaBroadcast's article "let cassandra identify your data".
 * {@link CassandraRatesTest} compares this algorithm with the stores. A client writes a lock column into the row, and
 * reads the row. If the row has no other lock column, the client holds the lock: one batch then writes the next integer
 * and deletes the lock column. If there is another lock column, the client deletes its own one and waits before it
 * tries again. The first pause is random, and the n-th pause is n times as long.
 *
 * <p>Two details make this class faster than the article requires. The lock column of a client always has the same
 * name, so that a read does not have to skip the tombstones of former locks. The first pause, which the article does
 * not limit, is at most 10 milliseconds, as in the stores.
 *
 * <p>Use it for measurements only. It may repeat integers: if a client is paused until its lock column has expired, it
 * still writes.
 */
final class ArticleBlockStore implements BlockStore {
    private static final long MAX_FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** The name of the column with the next integer. It sorts before the names of lock columns. */
    private static final String NEXT = "NEXT";

    private final CqlSession session;
    private final PreparedStatement lock;
    private final PreparedStatement read;
    private final PreparedStatement unlock;
    private final PreparedStatement write;
    private final int stripe;
    private final int stripes;
    private final String lockColumn = "_LOCK_" + UUID.randomUUID();
    private long attempts;
    private long blocks;

    ArticleBlockStore(CqlSession session, String keyspace, int stripe, int stripes) {
        String table = keyspace + ".article";
        this.session = session;
        this.stripe = stripe;
        this.stripes = stripes;
        this.lock = session.prepare("INSERT INTO " + table + " (key, name, value) VALUES (?, ?, 0) USING TTL 60");
        this.read = session.prepare("SELECT name, value FROM " + table + " WHERE key = ?");
        this.unlock = session.prepare("DELETE FROM " + table + " WHERE key = ? AND name = ?");
        this.write = session.prepare("INSERT INTO " + table + " (key, name, value) VALUES (?, ?, ?)");
    }

    static void createTable(CqlSession session, String keyspace) {
        session.execute("CREATE TABLE IF NOT EXISTS " + keyspace
                + ".article (key text, name text, value bigint, PRIMARY KEY (key, name))");
    }

    @Override
    public Block reserve(String sequence, long size) {
        String key = sequence + '/' + stripe;
        Deadline deadline = Deadline.after(TIMEOUT);
        long firstBackoffNanos = ThreadLocalRandom.current().nextLong(MAX_FIRST_BACKOFF_NANOS);
        for (int failed = 1; ; failed++) {
            attempts++;
            session.execute(lock.bind(key, lockColumn).setConsistencyLevel(ConsistencyLevel.QUORUM));
            List<Row> row = session.execute(read.bind(key).setConsistencyLevel(ConsistencyLevel.QUORUM))
                    .all();
            if (row.stream().allMatch(this::isNextOrOwnLock)) {
                return release(key, next(row), size);
            }
            session.execute(unlock.bind(key, lockColumn).setConsistencyLevel(ConsistencyLevel.QUORUM));
            if (!deadline.pause(firstBackoffNanos * failed)) {
                throw new BlockStoreException("sequence " + sequence + ": no lock within " + TIMEOUT);
            }
        }
    }

    private boolean isNextOrOwnLock(Row column) {
        String name = Objects.requireNonNull(column.getString("name"));
        return name.equals(NEXT) || name.equals(lockColumn);
    }

    private static long next(List<Row> row) {
        return row.stream()
                .filter(column -> NEXT.equals(column.getString("name")))
                .mapToLong(column -> column.getLong("value"))
                .findFirst()
                .orElse(0);
    }

    private Block release(String key, long next, long size) {
        session.execute(BatchStatement.newInstance(
                        BatchType.UNLOGGED, write.bind(key, NEXT, next + size), unlock.bind(key, lockColumn))
                .setConsistencyLevel(ConsistencyLevel.QUORUM));
        blocks++;
        return new Block(1 + stripe + next * stripes, size, stripes);
    }

    /** Returns the counts. Call this only after the client has ended. */
    ReservationStats stats() {
        return new ReservationStats(attempts, blocks, 0);
    }
}
