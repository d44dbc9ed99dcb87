// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads how many integers the sequences have left. Most reads are plain reads within the datacenter, which change
 * nothing, and also work while the datacenter is cut off. The local datacenter's row is read serially, as the stores
 * read it.
 */
final class StatusReader {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    private final Keyspace keyspace;
    private final Coordinators coordinators;

    /** A snapshot of a sequence. The row of a datacenter is null if it is missing or contradicts itself. */
    private record Sample(
            String sequence,
            int stripes,
            long first,
            long last,
            long used,
            Map<String, @Nullable DatacenterRow> rows) {}

    StatusReader(Keyspace keyspace, Coordinators coordinators) {
        this.keyspace = keyspace;
        this.coordinators = coordinators;
    }

    /** Reads all sequences twice, an interval apart; once if the interval is zero. */
    List<SequenceStatus> read(Duration interval) {
        List<Sample> before = interval.isZero() ? List.of() : sampleAll();
        long start = System.nanoTime();
        if (!interval.isZero()) {
            Deadline.after(interval.multipliedBy(2)).pause(interval.toNanos());
        }
        List<Sample> now = sampleAll();
        double seconds = (double) (System.nanoTime() - start) / TimeUnit.SECONDS.toNanos(1);
        return now.stream()
                .map(sample -> status(sample, find(before, sample), seconds))
                .toList();
    }

    private static @Nullable Sample find(List<Sample> samples, Sample other) {
        for (Sample sample : samples) {
            if (sample.sequence.equals(other.sequence) && sample.stripes == other.stripes) {
                return sample;
            }
        }
        return null;
    }

    private SequenceStatus status(Sample now, @Nullable Sample before, double seconds) {
        List<SequenceStatus.Datacenter> datacenters = new ArrayList<>();
        double perSecond = before == null ? 0 : Math.max(now.used - before.used, 0) / seconds;
        long installed = DatacenterRow.NONE;
        for (Map.Entry<String, @Nullable DatacenterRow> entry : now.rows.entrySet()) {
            DatacenterRow row = entry.getValue();
            DatacenterRow rowBefore = before == null ? null : before.rows.get(entry.getKey());
            installed = Math.max(installed, row == null ? DatacenterRow.NONE : row.installed());
            datacenters.add(datacenter(entry.getKey(), row, rowBefore, before != null, seconds));
        }
        if (now.stripes == 0) {
            perSecond = datacenters.stream()
                    .mapToDouble(datacenter -> datacenter.integersPerSecond().orElse(0))
                    .sum();
        }
        return new SequenceStatus(
                now.sequence,
                now.stripes,
                now.first,
                now.last,
                now.last - now.first + 1 - now.used,
                before == null ? OptionalDouble.empty() : OptionalDouble.of(perSecond),
                datacenters,
                isSetBack(now, installed)
                        ? "seq_global was set back: run recover with a value above all integers in use"
                        : "");
    }

    /**
     * Returns whether {@code seq_global} has gone back to an earlier state, so that fewer integers are claimed than
     * installed. A sample may also show a range without its claim, because the claim was made after the claims were
     * read, or was replicated later than the range. Therefore the method reads the claims again, serially.
     */
    private boolean isSetBack(Sample now, long installed) {
        if (now.stripes != 0 || now.first + now.used - 1 >= installed) {
            return false;
        }
        try {
            for (Row row : select(
                    DefaultConsistencyLevel.SERIAL,
                    "SELECT last_integer FROM " + table("seq_global") + " WHERE key = ? AND dc = 'GLOBAL'",
                    now.sequence)) {
                return DatacenterRow.longOf(row, "last_integer") < installed;
            }
        } catch (DriverException e) {
            // Report no problem. Probably, the datacenter is cut off from the others, so its copy of the claims may be
            // out of date.
        }
        return false;
    }

    private SequenceStatus.Datacenter datacenter(
            String name,
            @Nullable DatacenterRow row,
            @Nullable DatacenterRow before,
            boolean isRateKnown,
            double seconds) {
        boolean hasRange = row != null && !row.isNew();
        long used = row == null || before == null ? 0 : row.usedSince(before);
        return new SequenceStatus.Datacenter(
                name,
                hasRange ? Objects.requireNonNull(row).remaining() : 0,
                hasRange ? Objects.requireNonNull(row).preloaded() : 0,
                isRateKnown ? OptionalDouble.of(used / seconds) : OptionalDouble.empty(),
                // The row of another datacenter may be missing because it is not replicated to this datacenter yet.
                row == null && name.equals(keyspace.datacenter())
                        ? "its row is missing or contradicts itself: run recover in this datacenter"
                        : "");
    }

    // --- samples

    private List<Sample> sampleAll() {
        List<Sample> all = new ArrayList<>();
        for (Row row :
                select(DefaultConsistencyLevel.LOCAL_QUORUM, "SELECT DISTINCT key FROM " + table("seq_global"))) {
            sampleTiers(Objects.requireNonNull(row.getString("key")), all);
        }
        for (Row row : select(
                DefaultConsistencyLevel.LOCAL_QUORUM,
                "SELECT key, first_value, last_value, stripes, complete FROM " + table("seq_striped"))) {
            if (row.getBoolean("complete")) {
                all.add(sampleStriped(row));
            }
        }
        return all;
    }

    private void sampleTiers(String name, List<Sample> all) {
        Row ofAll = null;
        Map<String, @Nullable DatacenterRow> rows = new TreeMap<>();
        for (Row row : select(
                DefaultConsistencyLevel.LOCAL_QUORUM,
                "SELECT dc, first_value, last_value, last_integer FROM " + table("seq_global") + " WHERE key = ?",
                name)) {
            String datacenter = Objects.requireNonNull(row.getString("dc"));
            if (datacenter.equals(RangeTables.GLOBAL)) {
                ofAll = row;
            } else {
                rows.put(datacenter, read(name, datacenter));
            }
        }
        if (ofAll != null) {
            long first = ofAll.getLong("first_value");
            long used = ofAll.getLong("last_integer") - first + 1;
            all.add(new Sample(name, 0, first, ofAll.getLong("last_value"), used, rows));
        }
    }

    private @Nullable DatacenterRow read(String name, String datacenter) {
        // Only nodes of a row's own datacenter can read the row serially.
        DefaultConsistencyLevel level = datacenter.equals(keyspace.datacenter())
                ? DefaultConsistencyLevel.LOCAL_SERIAL
                : DefaultConsistencyLevel.LOCAL_QUORUM;
        for (Row row : select(
                level,
                "SELECT " + DatacenterRow.COLUMNS + " FROM " + table("seq_dc") + " WHERE key = ? AND dc = ?",
                name,
                datacenter)) {
            return DatacenterRow.isSound(row) ? DatacenterRow.of(row) : null;
        }
        return null;
    }

    private Sample sampleStriped(Row row) {
        String name = Objects.requireNonNull(row.getString("key"));
        StripedDefinition defined =
                new StripedDefinition(row.getLong("first_value"), row.getLong("last_value"), row.getInt("stripes"));
        long used = 0;
        for (int stripe = 0; stripe < defined.stripes(); stripe++) {
            for (Row of : select(
                    DefaultConsistencyLevel.LOCAL_QUORUM,
                    "SELECT next_k FROM " + table("seq_stripe") + " WHERE key = ? AND stripe = ?",
                    name,
                    stripe)) {
                used += Math.min(of.getLong("next_k"), defined.count(stripe));
            }
        }
        return new Sample(name, defined.stripes(), defined.firstValue(), defined.lastValue(), used, Map.of());
    }

    private String table(String name) {
        return keyspace.table(name);
    }

    private Iterable<Row> select(DefaultConsistencyLevel level, String cql, Object... values) {
        return coordinators.execute(
                keyspace.name(),
                SimpleStatement.newInstance(cql, values).setConsistencyLevel(level),
                Deadline.after(REQUEST_TIMEOUT));
    }
}
