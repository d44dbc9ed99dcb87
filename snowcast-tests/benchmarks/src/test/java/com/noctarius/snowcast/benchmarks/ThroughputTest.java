// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;

class ThroughputTest {
    private static final int THREADS = 2;
    private static final int CALLS = 5_000;

    static Stream<Arguments> classes() {
        return Stream.of(
                Arguments.of(Throughput.class, Throughput.SUBJECTS),
                Arguments.of(IntegerThroughput.class, IntegerThroughput.SUBJECTS));
    }

    @ParameterizedTest
    @MethodSource("classes")
    void eachBenchmarkIsASubject(Class<?> benchmarks, List<Subject> subjects) {
        List<String> methods = Arrays.stream(benchmarks.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .map(Method::getName)
                .toList();
        assertThat(subjects.stream().map(Subject::method)).containsExactlyInAnyOrderElementsOf(methods);
        assertThat(subjects.stream().map(Subject::title)).doesNotHaveDuplicates();
    }

    static Stream<Arguments> generators() {
        return Stream.concat(
                Throughput.SUBJECTS.stream()
                        .filter(subject -> !subject.method().equals("clock"))
                        .map(subject -> Arguments.of(Throughput.class, subject)),
                IntegerThroughput.SUBJECTS.stream().map(subject -> Arguments.of(IntegerThroughput.class, subject)));
    }

    @ParameterizedTest
    @MethodSource("generators")
    void generatesDistinctIds(Class<?> benchmarks, Subject subject) throws Exception {
        Method method = Arrays.stream(benchmarks.getDeclaredMethods())
                .filter(found -> found.getName().equals(subject.method()))
                .findFirst()
                .orElseThrow();
        List<Object> states = new ArrayList<>();
        for (Class<?> state : method.getParameterTypes()) {
            // A state of JMH's scope Thread is shared here, so the benchmarks with batches run in one thread.
            states.add(state.getConstructor().newInstance());
        }
        try {
            Object benchmark = benchmarks.getConstructor().newInstance();
            int threads = method.getReturnType() == long[].class ? 1 : THREADS;
            assertDistinct(() -> method.invoke(benchmark, states.toArray()), threads);
        } finally {
            for (Object state : states) {
                close(state);
            }
        }
    }

    private static void assertDistinct(Callable<Object> call, int threads) throws Exception {
        Set<Object> ids = ConcurrentHashMap.newKeySet();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Integer>> counts = executor.invokeAll(Collections.nCopies(threads, () -> {
                int count = 0;
                for (int i = 0; i < CALLS; i++) {
                    count += add(call.call(), ids);
                }
                return count;
            }));
            int expected = 0;
            for (Future<Integer> count : counts) {
                expected += count.get();
            }
            assertThat(ids).hasSize(expected);
        } finally {
            executor.shutdownNow();
        }
    }

    private static int add(Object found, Set<Object> ids) {
        if (found instanceof long[] batch) {
            Arrays.stream(batch).forEach(ids::add);
            return batch.length;
        }
        // tryNextOr(0) returns 0 if there is no ID at present.
        if (found.equals(0L)) {
            return 0;
        }
        ids.add(found);
        return 1;
    }

    private static void close(Object state) throws Exception {
        for (Method method : state.getClass().getMethods()) {
            if (method.getName().equals("close")) {
                method.invoke(state);
            }
        }
    }
}
