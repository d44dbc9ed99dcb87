// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.partition.PartitionService;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** A thread that reads a map in a loop, one key of each partition in turn, and times each read. */
final class Gets {
    /** The name of the phase between two measured phases. */
    private static final String BETWEEN = "";

    private final IMap<Integer, Integer> map;
    private final List<Integer> keys = new ArrayList<>();
    private final Map<String, Histogram> byPhase = new ConcurrentHashMap<>();
    private volatile String phase = BETWEEN;
    private long begunNanos;
    private final Future<?> reading;

    Gets(HazelcastInstance member) {
        map = member.getMap("unrelated");
        PartitionService partitions = member.getPartitionService();
        Set<Integer> seen = new HashSet<>();
        for (int key = 0; seen.size() < partitions.getPartitions().size(); key++) {
            if (seen.add(partitions.getPartition(key).getPartitionId())) {
                keys.add(key);
                map.set(key, key);
            }
        }
        ExecutorService reader = Executors.newSingleThreadExecutor();
        reading = reader.submit(this::read);
        reader.shutdown();
    }

    private void read() {
        for (int i = 0; !Thread.currentThread().isInterrupted(); i = (i + 1) % keys.size()) {
            Histogram times = byPhase.computeIfAbsent(phase, any -> new ConcurrentHistogram(3));
            long before = System.nanoTime();
            map.get(keys.get(i));
            times.recordValue(System.nanoTime() - before);
        }
    }

    /** Begins a phase. All phases with the same name count as one. */
    void begin(String name) {
        begunNanos = System.nanoTime();
        phase = name;
    }

    /** Ends the phase, and returns its duration in milliseconds. */
    double end() {
        phase = BETWEEN;
        return (System.nanoTime() - begunNanos) / 1e6;
    }

    /** Returns how many reads began in a phase, and their median, p99.9 and maximum in milliseconds. */
    double[] of(String name) throws ExecutionException, InterruptedException {
        if (reading.isDone()) {
            reading.get();
        }
        Histogram times = byPhase.getOrDefault(name, new Histogram(3));
        return new double[] {
            times.getTotalCount(),
            times.getValueAtPercentile(50) / 1e6,
            times.getValueAtPercentile(99.9) / 1e6,
            times.getMaxValue() / 1e6
        };
    }
}
