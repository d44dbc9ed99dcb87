// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests docs/migration/snowcast-1-and-2.md with IDs of the published jar of snowcast 1. */
class Snowcast1MigrationTest {
    private static final String PACKAGE = "com.noctarius.snowcast.";
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2014-01-01T00:00:00Z"));
    private static final int IDS = 10_000;

    /**
     * Returns IDs of the old generator. Sets its node ID and state by reflection: snowcast 1 itself would set them in a
     * cluster of Hazelcast 3.4, which does not start on the Java versions of these tests.
     */
    private static List<Long> old(int maxLogicalNodeCount, int logicalNode) throws Exception {
        try (URLClassLoader jars = formerJars()) {
            Class<?> epochType = jars.loadClass(PACKAGE + "SnowcastEpoch");
            Object epoch = epochType.getMethod("byTimestamp", long.class).invoke(null, EPOCH.getEpochOffset());
            Object highestNode = jars.loadClass(PACKAGE + "impl.InternalSequencerUtils")
                    .getMethod("calculateBoundedMaxLogicalNodeCount", int.class)
                    .invoke(null, maxLogicalNodeCount);
            Class<?> definitionType = jars.loadClass(PACKAGE + "impl.SequencerDefinition");
            Object definition = definitionType
                    .getConstructor(String.class, epochType, int.class, short.class)
                    .newInstance("orders", epoch, highestNode, (short) 1);
            Constructor<?> constructor = jars.loadClass(PACKAGE + "impl.NodeSequencer$NodeSequencerContext")
                    .getDeclaredConstructor(jars.loadClass(PACKAGE + "impl.NodeSequencerService"), definitionType);
            constructor.setAccessible(true);
            Object generator = constructor.newInstance(null, definition);
            Class<?> generatorType = jars.loadClass(PACKAGE + "impl.AbstractSequencerContext");
            set(generatorType, generator, "logicalNodeId", logicalNode);
            Object attached = jars.loadClass(PACKAGE + "SnowcastSequenceState")
                    .getField("Attached")
                    .get(null);
            set(generatorType, generator, "state", attached);
            Method next = generatorType.getDeclaredMethod("next");
            next.setAccessible(true);
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < IDS; i++) {
                ids.add((Long) next.invoke(generator));
            }
            return ids;
        }
    }

    /** Returns a class loader for the jars that the build has copied, which does not see this class path. */
    private static URLClassLoader formerJars() throws IOException {
        Path jars = Path.of(System.getProperty("former.directory"));
        List<URL> urls = new ArrayList<>();
        try (Stream<Path> files = Files.list(jars)) {
            for (Path jar : files.toList()) {
                urls.add(jar.toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static void set(Class<?> type, Object object, String name, Object value) throws Exception {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 1_000, 8_192})
    void oldIdsReadAsNewOnes(int maxLogicalNodeCount) throws Exception {
        int node = maxLogicalNodeCount - 1;
        SnowcastLayout layout = SnowcastLayout.forMaxLogicalNodeCount(maxLogicalNodeCount);
        assertThat(old(maxLogicalNodeCount, node)).doesNotHaveDuplicates().allSatisfy(old -> {
            SnowflakeId id = SnowflakeId.of(old, layout, EPOCH);
            assertThat(Duration.between(id.instant(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
            assertThat(id.logicalNodeId()).isEqualTo(node);
        });
    }

    /**
     * The page's table says that the counter of a new millisecond began at 0. Version 1 began at 1, so the test accepts
     * both.
     */
    @Test
    void countersBeganLow() throws Exception {
        SnowcastLayout layout = SnowcastLayout.forMaxLogicalNodeCount(128);
        assertThat(old(128, 0)).anyMatch(id -> layout.counterValue(id) <= 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 8_192})
    void goesOnAbove(int maxLogicalNodeCount) throws Exception {
        long highest = Successor.highest(old(maxLogicalNodeCount, maxLogicalNodeCount - 1));
        SnowcastSequencer orders = SnowcastSystem.standaloneSequencer(
                SequencerConfig.builder("orders")
                        .epoch(EPOCH)
                        .maxLogicalNodeCount(maxLogicalNodeCount)
                        .startAbove(highest)
                        .build(),
                0);
        assertThat(LongStream.of(orders.next(IDS))).allMatch(id -> Long.compareUnsigned(id, highest) > 0);
    }

    @Test
    void newEpochIsRefused() throws Exception {
        Successor.standalone().isRefusedWithANewEpoch(old(8_192, 8_191), SnowcastLayout.DEFAULT);
    }
}
