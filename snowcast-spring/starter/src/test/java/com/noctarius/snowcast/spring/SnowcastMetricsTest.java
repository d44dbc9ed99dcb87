// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.tests.Await;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests the Micrometer meters of real sequencers and integer sequences. */
class SnowcastMetricsTest extends MemberOfTests {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
    private static final Set<String> NAMES = Set.of(
            "snowcast.sequencer.issued",
            "snowcast.sequencer.waits",
            "snowcast.sequencer.lease",
            "snowcast.sequencer.lease.remaining",
            "snowcast.sequencer.node.id",
            "snowcast.sequencer.time.remaining",
            "snowcast.sequencer.positive.remaining",
            "snowcast.sequencer.renewals",
            "snowcast.sequencer.renewal.failures",
            "snowcast.sequencer.lease.losses");

    private static Set<String> names(SimpleMeterRegistry registry, String sequencer) {
        Set<String> names = names(registry, "sequencer", sequencer);
        // These meters appear later, when the node IDs have been counted.
        names.removeIf(name -> name.startsWith("snowcast.sequencer.nodes."));
        return names;
    }

    /** Returns the names of the meters whose tag has this value. */
    private static Set<String> names(SimpleMeterRegistry registry, String tag, String value) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> value.equals(id.getTag(tag)))
                .map(Meter.Id::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void metersShowWhatTheStatsSay() throws InterruptedException {
        SnowcastSequencer sequencer = snowcast.createSequencer("shown", EPOCH, 8_192);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (SnowcastMetrics metrics = new SnowcastMetrics(snowcast)) {
            metrics.bindTo(registry);
            assertThat(names(registry, "shown")).isEqualTo(NAMES);
            // More IDs than a few milliseconds provide, so that the call has to wait.
            assertThat(sequencer.next(10_000)).hasSize(10_000);
            assertThat(sequencer.stats().issuedCount()).isEqualTo(10_000);
            assertThat(sequencer.stats().waitCount()).isPositive();
            assertThat(counter(registry, "snowcast.sequencer.issued"))
                    .isEqualTo((double) sequencer.stats().issuedCount());
            assertThat(registry.get("snowcast.sequencer.waits").functionTimer().count())
                    .isEqualTo((double) sequencer.stats().waitCount());
            assertThat(registry.get("snowcast.sequencer.waits").functionTimer().totalTime(TimeUnit.NANOSECONDS))
                    .as("converted from seconds")
                    .isCloseTo((double) sequencer.stats().waitTime().toNanos(), within(1.0));
            assertThat(gauge(registry, "snowcast.sequencer.node.id"))
                    .isEqualTo(sequencer.logicalNodeId(sequencer.next()));
            assertThat(registry.get("snowcast.sequencer.lease.remaining")
                            .timeGauge()
                            .value(TimeUnit.SECONDS))
                    .isBetween(150.0, 300.0);
            for (String end : List.of("time", "positive")) {
                double ofStats = (end.equals("time")
                                ? sequencer.stats().timeRemaining()
                                : sequencer.stats().positiveRemaining().orElseThrow())
                        .toDays();
                assertThat(registry.get("snowcast.sequencer." + end + ".remaining")
                                .timeGauge()
                                .value(TimeUnit.DAYS))
                        .isBetween(ofStats, ofStats + 2);
            }
            assertThat(counter(registry, "snowcast.sequencer.renewals"))
                    .isEqualTo((double) sequencer.stats().renewalCount());
            sequencer.detachLogicalNode();
            assertThat(gauge(registry, "snowcast.sequencer.node.id")).isNaN();
            assertThat(gauge(registry, "snowcast.sequencer.lease.remaining")).isZero();
        } finally {
            snowcast.destroySequencer(sequencer);
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void nodeIdsAreShownByTheOwnerOfThePartitionAndByAClientThatUsesTheSequencer() throws InterruptedException {
        HazelcastInstance client = Members.startClient(member);
        SnowcastSequencer sequencer = SnowcastSystem.snowcast(client).createSequencer("owned", EPOCH, 128);
        SimpleMeterRegistry ofMember = new SimpleMeterRegistry();
        SimpleMeterRegistry ofClient = new SimpleMeterRegistry();
        try (SnowcastMetrics metrics = metricsOf(snowcast);
                SnowcastMetrics metricsOfClient = metricsOf(SnowcastSystem.snowcast(client))) {
            metrics.bindTo(ofMember);
            metricsOfClient.bindTo(ofClient);
            awaitGauge(ofMember, "owned", "snowcast.sequencer.nodes.attached", 1);
            awaitGauge(ofMember, "owned", "snowcast.sequencer.nodes.expiring", 0);
            awaitGauge(ofMember, "owned", "snowcast.sequencer.nodes.capacity", 128);
            awaitGauge(ofClient, "owned", "snowcast.sequencer.nodes.attached", 1);
            awaitGauge(ofClient, "owned", "snowcast.sequencer.nodes.expiring", 0);
            awaitGauge(ofClient, "owned", "snowcast.sequencer.nodes.capacity", 128);
            SnowcastSystem.snowcast(client).destroySequencer(sequencer);
            Await.until(
                    "meters are gone",
                    () -> names(ofMember, "sequencer", "owned").isEmpty());
        } finally {
            client.shutdown();
        }
    }

    private static SnowcastMetrics metricsOf(Snowcast one) {
        return new SnowcastMetrics(
                new KnownSequencers(Map.of("snowcast", one), List::of, Map::of), Duration.ofMillis(20));
    }

    private static void awaitGauge(SimpleMeterRegistry registry, String sequencer, String meter, double value)
            throws InterruptedException {
        Await.until(meter + " = " + value, () -> {
            Gauge gauge = registry.find(meter).tag("sequencer", sequencer).gauge();
            return gauge != null && gauge.value() == value;
        });
    }

    @Test
    void metersOfTheInstanceShowWhatItsStatsSay() throws InterruptedException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        AtomicReference<List<Snowcast.Metric>> shown = new AtomicReference<>(List.of(
                total("possibleDuplicates", 3),
                total("clockStepsForward", 5),
                total("clockStepsBackward", 6),
                total("highWaterMarkWritable", 1),
                total("highWaterMarkRemaining", 600_000)));
        Snowcast told = new Told(shown::get);
        try (SnowcastMetrics metrics = metricsOf(told)) {
            metrics.bindTo(registry);
            assertThat(counter(registry, "snowcast.possible.duplicate.nodes")).isEqualTo(3);
            assertThat(counter(registry, "snowcast.clock.steps", "direction", "forward"))
                    .isEqualTo(5);
            assertThat(counter(registry, "snowcast.clock.steps", "direction", "backward"))
                    .isEqualTo(6);
            assertThat(gauge(registry, "snowcast.high.water.mark.writable")).isEqualTo(1);
            assertThat(registry.get("snowcast.high.water.mark.remaining")
                            .timeGauge()
                            .value(TimeUnit.SECONDS))
                    .isEqualTo(600);
            assertThat(registry.get("snowcast.high.water.mark.writable")
                            .tag("snowcast", "snowcast")
                            .gauges())
                    .hasSize(1);
            shown.set(List.of(total("highWaterMarkWritable", 0)));
            Gauge writable = registry.get("snowcast.high.water.mark.writable").gauge();
            Await.until("not writable", () -> writable.value() == 0);
            shown.set(List.of());
            Await.until("no high-water mark", () -> Double.isNaN(writable.value()));
            assertThat(gauge(registry, "snowcast.high.water.mark.remaining")).isNaN();
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    private static Snowcast.Metric total(String metric, long value) {
        return new Snowcast.Metric(metric, "", "", value);
    }

    /** Returns the value of a gauge or time gauge. */
    private static double gauge(SimpleMeterRegistry registry, String name) {
        return registry.get(name).gauge().value();
    }

    private static double counter(SimpleMeterRegistry registry, String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    private record Told(Supplier<List<Snowcast.Metric>> source) implements Snowcast {
        @Override
        public Collection<Snowcast.Metric> metrics() {
            return source.get();
        }

        @Override
        public Collection<SnowcastSequencer> sequencers() {
            return List.of();
        }

        @Override
        public Collection<IntegerSequence> integerSequences() {
            return List.of();
        }

        @Override
        public void destroySequencer(SnowcastSequencer sequencer) {
            throw new UnsupportedOperationException(sequencer.toString());
        }
    }

    @Test
    void metersComeAndGoWithTheSequencers() throws InterruptedException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        KnownSequencers known = new KnownSequencers(Map.of("snowcast", snowcast), List::of, Map::of);
        try (SnowcastMetrics metrics = new SnowcastMetrics(known, Duration.ofMillis(20))) {
            metrics.bindTo(registry);
            SnowcastSequencer first = snowcast.createSequencer("passing", EPOCH);
            Await.until("meters are there", () -> names(registry, "passing").equals(NAMES));
            snowcast.destroySequencer(first);
            Await.until("meters are gone", () -> names(registry, "passing").isEmpty());
            SnowcastSequencer second = snowcast.createSequencer("passing", EPOCH);
            Await.until(
                    "meters are there again", () -> names(registry, "passing").equals(NAMES));
            assertThat(registry.get("snowcast.sequencer.node.id")
                            .tag("sequencer", "passing")
                            .gauge()
                            .value())
                    .isEqualTo(second.logicalNodeId(second.next()));
            snowcast.destroySequencer(second);
        }
    }

    @Test
    void metersKeepNoSequencerAlive() throws InterruptedException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (SnowcastMetrics metrics = new SnowcastMetrics(snowcast)) {
            WeakReference<SnowcastSequencer> destroyed = createBindAndDestroy(metrics, registry);
            Await.until("it is collected", () -> {
                System.gc();
                return destroyed.get() == null;
            });
            assertThat(names(registry, "collected")).isEqualTo(NAMES);
            metrics.refresh();
            assertThat(names(registry, "collected")).isEmpty();
        }
    }

    /** A separate method, so that no local variable of the test refers to the sequencer. */
    private static WeakReference<SnowcastSequencer> createBindAndDestroy(
            SnowcastMetrics metrics, SimpleMeterRegistry registry) {
        SnowcastSequencer sequencer = snowcast.createSequencer("collected", EPOCH);
        metrics.bindTo(registry);
        snowcast.destroySequencer(sequencer);
        return new WeakReference<>(sequencer);
    }

    @Test
    void severalSnowcastsAreToldApart() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        SnowcastSequencer here = snowcast.createSequencer("same", EPOCH);
        Snowcast there = new StandaloneSnowcast(1);
        there.createSequencer("same", EPOCH);
        try (SnowcastMetrics metrics =
                new SnowcastMetrics(new KnownSequencers(Map.of("here", snowcast, "there", there), List::of, Map::of))) {
            metrics.bindTo(registry);
            assertThat(names(registry, "here.same")).isEqualTo(NAMES);
            assertThat(names(registry, "there.same")).isEqualTo(NAMES);
        } finally {
            snowcast.destroySequencer(here);
        }
    }

    private static final Set<String> SEQUENCE_NAMES = Set.of(
            "snowcast.sequence.issued",
            "snowcast.sequence.remaining",
            "snowcast.sequence.time.to.empty",
            "snowcast.sequence.block.size",
            "snowcast.sequence.reservations",
            "snowcast.sequence.reservation.failures",
            "snowcast.sequence.exhausted",
            "snowcast.sequence.waits");

    @Test
    void metersShowWhatTheStatsOfAnIntegerSequenceSay() throws InterruptedException {
        AtomicBoolean isBroken = new AtomicBoolean();
        MemoryBlockStore memory = new MemoryBlockStore();
        BlockStore store = (name, size) -> {
            if (isBroken.get()) {
                throw new BlockStoreException("broken on purpose");
            }
            return memory.reserve(name, size);
        };
        IntegerSequence sequence = snowcast.createIntegerSequence(IntegerSequenceConfig.builder("metered")
                .blockSize(100)
                .prefetchThreshold(1)
                .maxWait(Duration.ofSeconds(2))
                .store(store)
                .build());
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        // A sequence that is a bean is known even after it was closed.
        KnownSequencers known =
                new KnownSequencers(Map.of("snowcast", snowcast), List::of, () -> Map.of("sequence", sequence));
        try (SnowcastMetrics metrics = new SnowcastMetrics(known)) {
            metrics.bindTo(registry);
            assertThat(names(registry, "sequence", "metered")).isEqualTo(SEQUENCE_NAMES);
            assertThat(gauge(registry, "snowcast.sequence.time.to.empty"))
                    .as("nothing can be said yet")
                    .isNaN();
            assertThat(sequence.next(60)).hasSize(60);
            assertThat(counter(registry, "snowcast.sequence.issued")).isEqualTo(60);
            assertThat(gauge(registry, "snowcast.sequence.remaining")).isEqualTo(40);
            assertThat(gauge(registry, "snowcast.sequence.block.size")).isEqualTo(100);
            assertThat(counter(registry, "snowcast.sequence.reservations")).isEqualTo(1);
            assertThat(registry.get("snowcast.sequence.waits").functionTimer().count())
                    .isEqualTo(1);
            assertThat(registry.get("snowcast.sequence.waits").functionTimer().totalTime(TimeUnit.NANOSECONDS))
                    .isPositive()
                    .isCloseTo((double) sequence.stats().waitTime().toNanos(), within(1.0));
            assertThat(registry.get("snowcast.sequence.time.to.empty")
                            .timeGauge()
                            .value(TimeUnit.MINUTES))
                    .isGreaterThanOrEqualTo(0)
                    .isLessThan(60);
            isBroken.set(true);
            assertThatThrownBy(() -> sequence.next(41)).hasMessageContaining("broken on purpose");
            assertThat(counter(registry, "snowcast.sequence.reservation.failures"))
                    .isPositive();
            sequence.close();
            assertThat(gauge(registry, "snowcast.sequence.remaining")).isNaN();
            metrics.refresh();
            assertThat(names(registry, "sequence", "metered")).isEmpty();
        } finally {
            sequence.close();
        }
    }

    @Test
    void sequencerAndIntegerSequenceOfOneNameHaveTheirMeters() {
        SnowcastSequencer sequencer = snowcast.createSequencer("both", EPOCH);
        IntegerSequence sequence = snowcast.createIntegerSequence(IntegerSequenceConfig.builder("both")
                .store(new MemoryBlockStore())
                .build());
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (SnowcastMetrics metrics = new SnowcastMetrics(snowcast)) {
            metrics.bindTo(registry);
            assertThat(names(registry, "both")).isEqualTo(NAMES);
            assertThat(names(registry, "sequence", "both")).isEqualTo(SEQUENCE_NAMES);
        } finally {
            snowcast.destroySequencer(sequencer);
            sequence.close();
        }
        assertThat(registry.getMeters()).isEmpty();
    }
}
