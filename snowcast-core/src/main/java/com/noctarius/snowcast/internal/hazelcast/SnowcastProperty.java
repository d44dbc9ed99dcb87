// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import com.noctarius.snowcast.internal.base.SystemClock;
import java.util.Arrays;
import java.util.List;

/**
 * Every property of snowcast that Hazelcast's configuration or the JVM can have: the one list of what exists. The warnings of
 * members, the refusals of Spring Boot and the table of docs/guide.md come from it, or are compared with it.
 */
public enum SnowcastProperty {
    LEASE("snowcast.lease.millis", Place.MEMBERS),
    MAX_LEASE("snowcast.max.lease.millis", Place.MEMBERS),
    MAX_CLOCK_SKEW("snowcast.max.clock.skew.millis", Place.MEMBERS),
    SPLIT_BRAIN_PROTECTION_NAME("snowcast.split.brain.protection.name", Place.MEMBERS),
    NODE_ID_RANGE("snowcast.node.id.range", Place.MEMBERS),
    FULL_RESTART_WAIT("snowcast.full.restart.wait", Place.MEMBERS),
    HIGH_WATER_MARK_DIR("snowcast.high.water.mark.dir", Place.MEMBERS),
    HIGH_WATER_MARK_MEMBERS("snowcast.high.water.mark.members", Place.MEMBERS),
    FLAKE_IDS("snowcast.flake.ids", Place.MEMBERS),
    MAX_NAMED_METRICS("snowcast.metrics.max.named", Place.MEMBERS_AND_CLIENTS),
    HAZELCAST_VERSION_CHECK("snowcast.hazelcast.version.check", Place.MEMBERS_AND_CLIENTS),
    SERIALIZATION_FACTORY("snowcast.serialization.factory.id", Place.JVM),
    CACHED_CLOCK(SystemClock.CACHED_CLOCK, Place.JVM),
    /** Of the tests that snowcast-store-contract has. */
    SEED("snowcast.seed", Place.JVM);

    /** Where a property has an effect; in the first two also as a system property. */
    public enum Place {
        MEMBERS,
        MEMBERS_AND_CLIENTS,
        /** As a system property only. */
        JVM
    }

    private final String key;
    private final Place place;

    SnowcastProperty(String key, Place place) {
        this.key = key;
        this.place = place;
    }

    /** Returns the whole name. */
    public String key() {
        return key;
    }

    public Place place() {
        return place;
    }

    /** Returns the whole names of all that have an effect in one of these places. */
    public static List<String> keys(Place... places) {
        List<Place> wanted = List.of(places);
        return Arrays.stream(values())
                .filter(property -> wanted.contains(property.place))
                .map(SnowcastProperty::key)
                .toList();
    }
}
