// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

/** What {@link ThroughputRun} measures, in the order of a round: those that are compared stand next to each other. */
enum Subject {
    CLOCK("clock", "System.currentTimeMillis"),
    SNOWCAST("snowcast", "snowcast"),
    AGRONA("agrona", "Agrona"),
    RELAXED("snowcastRelaxed", "snowcast, relaxed"),
    TUNED_FLAKE("flakeIdGeneratorTuned", "FlakeIdGenerator, tuned"),
    COS_ID("cosId", "CosId"),
    COS_ID_CLOCK_SYNC("cosIdClockSync", "CosId, clock-synced"),
    TSID_CREATOR("tsidCreator", "tsid-creator"),
    HYPERSISTENCE_TSID("hypersistenceTsid", "hypersistence-tsid"),
    BATCH("snowcastBatch", "snowcast, batch of 256"),
    TRY_NEXT("snowcastTryNext", "snowcast, tryNext"),
    DEFAULT_LAYOUT("snowcastDefaultLayout", "snowcast, default layout"),
    FLAKE("flakeIdGenerator", "FlakeIdGenerator"),
    UUID_V7("uuidV7", "java-uuid-generator, v7"),
    RANDOM_UUID("randomUuid", "UUID.randomUUID"),
    ATOMIC_LONG("atomicLong", "AtomicLong");

    private final String method;
    private final String title;

    Subject(String method, String title) {
        this.method = method;
        this.title = title;
    }

    /** Returns the method of {@link Throughput}. */
    String method() {
        return method;
    }

    /** Returns the name in tables and plots. */
    String title() {
        return title;
    }
}
