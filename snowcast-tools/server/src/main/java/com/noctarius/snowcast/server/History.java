// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.internal.base.Threads;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/**
 * The counts of issued IDs and integers at each second of the last three minutes. The server collects the counts even
 * if no page is open, so that a new page can show them at once.
 */
@Component
final class History implements AutoCloseable {
    static final int SECONDS = 180;

    private static final System.Logger LOG = System.getLogger(History.class.getName());

    private final Configured configured;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private final ScheduledExecutorService sampler =
            Executors.newSingleThreadScheduledExecutor(Threads.daemons("snowcast-server-history"));

    private record Sample(long millis, Map<String, Long> sequencers, Map<String, Long> sequences) {}

    /**
     * The collected counts, the oldest first.
     *
     * @param times the times of the counts, in milliseconds since 1970, by the clock of this server
     * @param sequencers for each sequencer, how many IDs it had issued at each of these times
     * @param sequences for each integer sequence, how many integers it had issued at each of these times
     */
    record Kept(List<Long> times, Map<String, List<Long>> sequencers, Map<String, List<Long>> sequences) {}

    History(Configured configured) {
        this.configured = configured;
        ScheduledFuture<?> unused = sampler.scheduleAtFixedRate(this::sample, 0, 1, TimeUnit.SECONDS);
    }

    private void sample() {
        try {
            Map<String, Long> sequencers = new LinkedHashMap<>();
            configured
                    .sequencers()
                    .forEach(one -> sequencers.put(one.name(), one.stats().issuedCount()));
            Map<String, Long> sequences = new LinkedHashMap<>();
            configured
                    .sequences()
                    .forEach(one -> sequences.put(one.name(), one.stats().issuedCount()));
            add(new Sample(Instant.now().toEpochMilli(), sequencers, sequences));
        } catch (RuntimeException e) { // The executor would stop a task that throws.
            LOG.log(System.Logger.Level.DEBUG, "No sample", e);
        } catch (Error e) {
            LOG.log(System.Logger.Level.WARNING, "No sample; the next try follows", e);
        }
    }

    private synchronized void add(Sample sample) {
        samples.addLast(sample);
        if (samples.size() > SECONDS) {
            samples.removeFirst();
        }
    }

    synchronized Kept kept() {
        return new Kept(
                samples.stream().map(Sample::millis).toList(), byName(Sample::sequencers), byName(Sample::sequences));
    }

    /** All samples have the same names, because the configuration does not change. */
    private Map<String, List<Long>> byName(Function<Sample, Map<String, Long>> counts) {
        Map<String, List<Long>> byName = new LinkedHashMap<>();
        if (!samples.isEmpty()) {
            for (String name : counts.apply(samples.getLast()).keySet()) {
                byName.put(
                        name,
                        samples.stream()
                                .map(each -> counts.apply(each).getOrDefault(name, 0L))
                                .toList());
            }
        }
        return byName;
    }

    @Override
    public void close() {
        sampler.shutdownNow();
    }
}
