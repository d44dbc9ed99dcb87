// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.pictures;

import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.WindowAgent;
import com.noctarius.snowcast.store.Block;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;

/** Two rounds of windows over three databases, as their tables have them after some reservations. */
final class WindowsPicture {
    private static final String NAME = "orders";
    private static final int SHARDS = 3;
    private static final long FIRST = 5_000_001;
    private static final long SIZE = 100_000;
    private static final int SHOWN = 2 * SHARDS;
    /** What is reserved on each shard. */
    private static final long[] RESERVED = {125_000, 70_000, 45_000};

    /** For a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final double LEFT = 110;
    private static final double WIDTH = 122;

    private final JdbcDataSource[] databases =
            IntStream.range(0, SHARDS).mapToObj(WindowsPicture::database).toArray(JdbcDataSource[]::new);
    private final Svg svg = new Svg(
            880,
            300,
            "Windows over shards",
            "Windows of integers belong to three shards in turn, six windows in two rounds. Each shard serves from the"
                    + " first of its windows that has integers left.");

    static String draw() throws SQLException {
        WindowsPicture picture = new WindowsPicture();
        picture.reserve();
        return picture.picture();
    }

    private static JdbcDataSource database(int index) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:picture" + index + ";DB_CLOSE_DELAY=-1");
        database.setUser("sa");
        return database;
    }

    private void reserve() {
        JdbcShards.Builder builder =
                JdbcShards.builder().statementTimeout(PATIENCE).callTimeout(PATIENCE.multipliedBy(2));
        for (JdbcDataSource database : databases) {
            builder.shard(database);
        }
        JdbcShards shards = builder.build();
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(SIZE);
        schema.defineSequence(NAME, FIRST, Integer.MAX_VALUE);
        new WindowAgent(shards, 2).topUp();
        long[] left = RESERVED.clone();
        for (int shard = 0; shard < SHARDS; shard++) {
            JdbcBlockStore store = new JdbcBlockStore(shards, shard);
            while (left[shard] > 0) {
                Block block = store.reserve(NAME, left[shard]);
                int from = (int) ((block.first() - FIRST) / SIZE % SHARDS);
                left[from] -= block.count();
            }
        }
    }

    private String picture() throws SQLException {
        svg.text(LEFT + 8, 32, "strong", "round 0").text(LEFT + SHARDS * WIDTH + 8, 32, "strong", "round 1");
        svg.line(LEFT + SHARDS * WIDTH, 20, LEFT + SHARDS * WIDTH, 236, "now");
        for (int window = 0; window < SHOWN; window++) {
            svg.centred(LEFT + (window + 0.5) * WIDTH, 60, "small", "window " + window);
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            svg.text(24, 97 + shard * 54, "", "shard " + shard);
            svg.line(LEFT, 92 + shard * 54, LEFT + SHOWN * WIDTH, 92 + shard * 54, "line");
            windowsOf(shard);
        }
        svg.box(LEFT, 264, 16, 16, "blue").text(LEFT + 24, 277, "small", "reserved");
        svg.box(LEFT + 120, 264, 16, 16, "free").text(LEFT + 144, 277, "small", "open");
        svg.text(LEFT + 220, 277, "small", "a window's first integer is below it");
        return svg.toString();
    }

    private void windowsOf(int shard) throws SQLException {
        try (Connection connection = databases[shard].getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT window_start_value, window_end_value, next_hi_value"
                        + " FROM id_sequences ORDER BY window_start_value FETCH FIRST 2 ROWS ONLY")) {
            while (rows.next()) {
                long start = rows.getLong(1);
                double x = x(start);
                double y = 76 + shard * 54;
                svg.box(x, y, x(rows.getLong(2)) - x, 28, "free");
                svg.box(x, y, x(rows.getLong(3)) - x, 28, "blue");
                svg.text(x + 6, y + 43, "small", String.format(Locale.ROOT, "%,d", start));
            }
        }
    }

    private static double x(long value) {
        return LEFT + (value - FIRST) * WIDTH / SIZE;
    }
}
