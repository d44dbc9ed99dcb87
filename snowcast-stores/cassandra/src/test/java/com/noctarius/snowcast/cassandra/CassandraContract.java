// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.noctarius.snowcast.cassandra.node.CassandraNode;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Runs the contract tests of block stores on one Cassandra node. All stores of this process share one session. */
@Tag("integration")
abstract class CassandraContract extends BlockStoreContract {
    static final String KEYSPACE = "contract";
    /** The call time-out, long enough for a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final long GRANT_NANOS = TimeUnit.SECONDS.toNanos(Requests.SECONDS) / 2;

    @AutoClose
    private static CqlSession session;

    private final StoreKind kind;
    private final AtomicInteger handles = new AtomicInteger();
    private final AtomicLong withoutAnswer = new AtomicLong();

    CassandraContract(StoreKind kind) {
        this.kind = kind;
    }

    @BeforeAll
    static void connect() {
        session = Sessions.withTables(KEYSPACE);
    }

    @Override
    protected BlockStore open(long first, long last, String... sequences) {
        return open(counting(), first, last, sequences);
    }

    private BlockStore open(CqlSession connected, long first, long last, String... sequences) {
        CassandraSchema schema = new CassandraSchema(session, KEYSPACE, SingleNode.DATACENTER);
        for (String sequence : sequences) {
            kind.define(schema, sequence, first, last);
        }
        return kind.open(connected, KEYSPACE, SingleNode.DATACENTER, handles.getAndIncrement());
    }

    /**
     * Counts requests that fail, or take so long that another client may remove the grant before this client reads it.
     */
    private CqlSession counting() {
        return Sessions.around(session, (method, argument, call) -> {
            long begin = System.nanoTime();
            boolean isAnswered = false;
            try {
                Object result = call.proceed();
                isAnswered = System.nanoTime() - begin < GRANT_NANOS;
                return result;
            } finally {
                if (!isAnswered) {
                    withoutAnswer.incrementAndGet();
                }
            }
        });
    }

    @Override
    protected long requestsWithoutAnswer() {
        return withoutAnswer.get();
    }

    @Override
    protected Optional<BlockStore> openLosingAnswers(
            BooleanSupplier losesAnswer, long first, long last, String... sequences) {
        return Optional.of(open(losing(losesAnswer), first, last, sequences));
    }

    private static CqlSession losing(BooleanSupplier losesAnswer) {
        return Sessions.around(session, (method, argument, call) -> {
            Object result = call.proceed();
            if (result instanceof ResultSet rows
                    && argument instanceof Statement<?> statement
                    && isChange(statement, rows)
                    && losesAnswer.getAsBoolean()) {
                throw new DriverTimeoutException("the answer was lost after the change was made");
            }
            return result;
        });
    }

    /** Returns whether the statement has changed a row: conditionally, or by the post of a request. */
    private static boolean isChange(Statement<?> statement, ResultSet rows) {
        return statement.getSerialConsistencyLevel() == null
                ? rows.getColumnDefinitions().size() == 0
                : rows.wasApplied();
    }

    @Override
    protected Optional<OtherProcess> otherProcess() {
        CassandraNode node = SingleNode.node();
        return Optional.of(new OtherProcess(CassandraOpener.class, CassandraOpener.arguments(node, KEYSPACE, kind, 1)));
    }

    @Override
    protected Optional<Server> server() {
        CassandraNode node = SingleNode.node();
        return Optional.of(new Server() {
            @Override
            public void kill() {
                node.kill();
            }

            @Override
            public void restart() {
                node.restart();
            }
        });
    }

    enum StoreKind {
        TWO_TIERS {
            @Override
            void define(CassandraSchema schema, String sequence, long first, long last) {
                schema.defineSequence(sequence, first, last);
            }

            @Override
            BlockStore open(CqlSession session, String keyspace, String datacenter, int handle) {
                return CassandraBlockStore.builder(session, keyspace, datacenter)
                        .rangeSize(1_500)
                        .callTimeout(PATIENCE)
                        .build();
            }
        },
        PLAIN(1),
        STRIPED(3);

        private final int stripes;

        StoreKind() {
            this(0);
        }

        StoreKind(int stripes) {
            this.stripes = stripes;
        }

        void define(CassandraSchema schema, String sequence, long first, long last) {
            schema.defineStripedSequence(sequence, first, last, stripes);
        }

        BlockStore open(CqlSession session, String keyspace, String datacenter, int handle) {
            CassandraStripedBlockStore.Builder builder = CassandraStripedBlockStore.builder(
                            session, keyspace, datacenter)
                    .callTimeout(PATIENCE);
            return (stripes == 1 ? builder : builder.stripe(handle % stripes)).build();
        }
    }
}
