// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.noctarius.snowcast.tests.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests hanging calls, for example of {@code getConnection()}, which hangs in PostgreSQL's driver when packets are
 * dropped.
 */
@Tag("integration")
class HangingCallsTest {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();
    private final DataSource real = UrlDataSource.of("jdbc:h2:mem:hanging;DB_CLOSE_DELAY=-1", null, null);

    private Shard hangingFirst(int times) {
        AtomicInteger calls = new AtomicInteger();
        DataSource dataSource = Connections.choosing(() -> {
            if (calls.incrementAndGet() <= times) {
                hanging.incrementAndGet();
                Connections.await(ended);
                hanging.decrementAndGet();
            }
            return real.getConnection();
        });
        return new Shard(0, 1, dataSource, null, 1, Duration.ofMillis(50));
    }

    private static long answer(Shard shard) throws SQLException {
        return shard.autoCommit(transaction -> transaction.number("SELECT 1"));
    }

    private static boolean isAnswered(Shard shard) {
        try {
            return answer(shard) == 1;
        } catch (SQLException e) {
            return false;
        }
    }

    @Test
    void callsThatHangForeverAreGivenUp() throws Exception {
        Shard shard = hangingFirst(4);
        for (int i = 0; i < 4; i++) {
            assertThatExceptionOfType(CallTimeoutException.class)
                    .isThrownBy(() -> answer(shard))
                    .withMessage("no connection within PT0.05S");
        }
        Await.until("the database serves again", () -> isAnswered(shard));
        assertThat(hanging.get()).as("they still hang").isEqualTo(4);
        ended.countDown();
        Await.until("no call hangs", () -> hanging.get() == 0);
        assertThat(answer(shard)).isEqualTo(1);
    }

    /**
     * A call that hangs for more than four time-outs no longer counts. On a busy machine, that may happen before four
     * calls hang; the message says how often it did.
     */
    @Test
    void callsThatHangAreNotPiledUp() {
        Shard shard = hangingFirst(Integer.MAX_VALUE);
        AtomicInteger givenUp = new AtomicInteger();
        Await.until("a call fails at once", () -> {
            String failure = assertThatExceptionOfType(CallTimeoutException.class)
                    .isThrownBy(() -> answer(shard))
                    .actual()
                    .toString();
            Matcher atOnce = Pattern.compile("4 calls to the database have not ended .* Of earlier calls (\\d+) have")
                    .matcher(failure);
            return atOnce.find() && givenUp.getAndSet(Integer.parseInt(atOnce.group(1))) >= 0;
        });
        Await.until(
                "four calls hang, in addition to those that were given up", () -> hanging.get() == 4 + givenUp.get());
        ended.countDown();
        Await.until("no call hangs", () -> hanging.get() == 0);
    }

    @Test
    void aCallThatHasItsConnectionWaitsForTheDatabase() {
        Shard shard = new Shard(0, 1, real, null, 1, Duration.ofMillis(50));
        try {
            assertThatExceptionOfType(CallTimeoutException.class)
                    .isThrownBy(() -> shard.autoCommit(transaction -> {
                        Connections.await(ended);
                        return 1;
                    }))
                    .withMessage("no answer within PT0.05S");
        } finally {
            ended.countDown();
        }
    }

    /** If further calls did not fail at once, each would hold a thread. */
    @Test
    void furtherCallsFailAtOnceWhileSomeHang() {
        HangingCalls calls = new HangingCalls(Duration.ofHours(1));
        for (int i = 0; i < 4; i++) {
            assertThatNoException().isThrownBy(calls::requireFew);
            calls.began(i, i == 3);
        }
        assertThatExceptionOfType(CallTimeoutException.class)
                .isThrownBy(calls::requireFew)
                .withMessageContaining(
                        "4 calls to the database have not ended after 3600000 ms: 1 wait for the database, 3 for a"
                                + " connection. Of earlier calls 0 have not ended yet");
        calls.ended(2);
        assertThatNoException().isThrownBy(calls::requireFew);
    }
}
