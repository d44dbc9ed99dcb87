// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.internal.base.SystemClock;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All properties of snowcast that can be set in Hazelcast's configuration or as a system property. Members warn about
 * unknown properties, and snowcast's Spring Boot starter rejects them.
 */
public enum SnowcastProperty {
    LEASE("snowcast.lease.millis", Place.MEMBERS, "300000"),
    MAX_LEASE("snowcast.max.lease.millis", Place.MEMBERS),
    MAX_CLOCK_SKEW("snowcast.max.clock.skew.millis", Place.MEMBERS, "60000"),
    SPLIT_BRAIN_PROTECTION_NAME("snowcast.split.brain.protection.name", Place.MEMBERS),
    NODE_ID_RANGE("snowcast.node.id.range", Place.MEMBERS, "0-" + (NodeLeaseConfig.MAX_NODE_COUNT - 1)),
    FULL_RESTART_WAIT("snowcast.full.restart.wait", Place.MEMBERS, "false"),
    HIGH_WATER_MARK_DIR("snowcast.high.water.mark.dir", Place.MEMBERS),
    HIGH_WATER_MARK_MEMBERS("snowcast.high.water.mark.members", Place.MEMBERS, "1"),
    FLAKE_IDS("snowcast.flake.ids", Place.MEMBERS, "true"),
    MAX_NAMED_METRICS("snowcast.metrics.max.named", Place.MEMBERS_AND_CLIENTS, "100"),
    HAZELCAST_VERSION_CHECK("snowcast.hazelcast.version.check", Place.MEMBERS_AND_CLIENTS),
    SERIALIZATION_FACTORY("snowcast.serialization.factory.id", Place.JVM),
    CACHED_CLOCK(SystemClock.CACHED_CLOCK, Place.JVM),
    /** The seed of random tests, such as those in snowcast-store-contract. */
    SEED("snowcast.seed", Place.JVM);

    /** Where a property has an effect. Properties of members and clients also have an effect as system properties. */
    public enum Place {
        MEMBERS,
        MEMBERS_AND_CLIENTS,
        /** The property has an effect only as a system property. */
        JVM
    }

    private final String key;
    private final Place place;
    private final @Nullable String defaultValue;

    SnowcastProperty(String key, Place place) {
        this(key, place, null);
    }

    SnowcastProperty(String key, Place place, @Nullable String defaultValue) {
        this.key = key;
        this.place = place;
        this.defaultValue = defaultValue;
    }

    public String key() {
        return key;
    }

    public Place place() {
        return place;
    }

    /** Returns the trimmed text, or the default if the text is null. Only for properties with a default. */
    public String orDefault(@Nullable String text) {
        return text == null ? Objects.requireNonNull(defaultValue, key) : text.trim();
    }

    /** Returns a value as a number; throws an {@code IllegalArgumentException} that names the range. */
    public long number(@Nullable String text, long min, long max) {
        String value = orDefault(text);
        String allowed = key + " must be a number from " + min + " to " + max + ": " + value;
        long number;
        try {
            number = Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(allowed, e);
        }
        if (number < min || number > max) {
            throw new IllegalArgumentException(allowed);
        }
        return number;
    }

    /** Returns a value as a boolean; throws an {@code IllegalArgumentException} if it is neither true nor false. */
    public boolean isTrue(@Nullable String text) {
        String value = orDefault(text);
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(key + " must be true or false: " + value);
        }
        return value.equals("true");
    }

    /** Returns the keys of all properties whose {@link Place} is one of the given ones. */
    public static List<String> keys(Place... places) {
        List<Place> wanted = List.of(places);
        return Arrays.stream(values())
                .filter(property -> wanted.contains(property.place))
                .map(SnowcastProperty::key)
                .toList();
    }
}
