// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SnowcastException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** A setting of a sequencer or integer sequence in properties and XML, or of a node lease in properties. */
enum Setting {
    NAME("a name that is not empty"),
    BACKUP_COUNT("a number from 0 to 6"),

    EPOCH("an instant that is not in the future, such as 2024-01-01T00:00:00Z"),
    LAYOUT("default, positive, javascript, or the bits of time, node ID and counter, such as 41/13/10"),
    MAX_LOGICAL_NODES("a number from 128 to 8192"),
    MAX_NODES("the number of node IDs that the generator has room for, from 2 to 65536"),
    COUNTER_START("random or zero"),
    START_ABOVE("an ID, 0 to 18446744073709551615"),
    LEASE("a duration from 1s to 30d, such as 5m"),

    FIRST_VALUE("a number from 0, above all integers that are in use"),
    LAST_VALUE("a number that is not below first-value"),
    BLOCK_SIZE("a number from 1 to 16777216"),
    MIN_BLOCK_SIZE("a number from 1 to 16777216"),
    MAX_BLOCK_SIZE("a number from min-block-size to 16777216"),
    BLOCK_DURATION("a duration up to 365d, such as 30s"),
    PREFETCH_THRESHOLD("a number above 0 and at most 1, such as 0.5"),
    MAX_WAIT("a duration from 0s to 365d, such as 10s"),
    STORE_REF("the name of a BlockStore bean");

    static final List<Setting> OF_SEQUENCER =
            List.of(NAME, EPOCH, LAYOUT, MAX_LOGICAL_NODES, COUNTER_START, LEASE, BACKUP_COUNT, START_ABOVE);
    static final List<Setting> OF_NODE_LEASE = List.of(NAME, MAX_NODES, LEASE, BACKUP_COUNT);
    static final List<Setting> OF_SEQUENCE = List.of(
            NAME,
            FIRST_VALUE,
            LAST_VALUE,
            BLOCK_SIZE,
            MIN_BLOCK_SIZE,
            MAX_BLOCK_SIZE,
            BLOCK_DURATION,
            PREFETCH_THRESHOLD,
            MAX_WAIT,
            STORE_REF);

    private static final Log LOG = LogFactory.getLog(Setting.class);
    private static final Duration TOO_SHORT_LEASE = Duration.ofMinutes(2);

    private final String allowed;

    Setting(String allowed) {
        this.allowed = allowed;
    }

    /** Returns the setting's name in properties and XML, for example {@code backup-count}. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns a description of the allowed values that completes "must be". */
    String allowed() {
        return allowed;
    }

    /**
     * Calls {@code use}, which passes the value of this setting to the API. If the API rejects the value, throws an
     * exception with the setting and the reason.
     */
    <T> T checked(@Nullable Object value, Supplier<T> use) {
        try {
            return use.get();
        } catch (IllegalArgumentException | SnowcastException e) {
            throw new InvalidSettingException(
                    this, "must be " + allowed + (value == null ? "" : ": " + value) + " (" + e.getMessage() + ")", e);
        }
    }

    /** Passes a value to the API unless it is null. */
    <T> void set(@Nullable T value, Function<T, ?> use) {
        if (value != null) {
            checked(value, () -> use.apply(value));
        }
    }

    /** Logs a warning if a lease is too short for production. */
    static void adviseOnLease(String property, @Nullable Duration lease) {
        if (lease != null && lease.compareTo(TOO_SHORT_LEASE) <= 0) {
            LOG.warn(property + "=" + lease + " is short: a cluster or database that does not answer for this time"
                    + " stops the IDs, and after a loss of its data the lease is not renewed. Take more than two minutes in"
                    + " production");
        }
    }

    <T> T required(@Nullable T value, String why) {
        if (value == null) {
            throw new InvalidSettingException(this, "is missing; " + why + " it must be " + allowed, null);
        }
        return value;
    }

    /** Throws if the value is not null, because it would have no effect. */
    void requireAbsent(@Nullable Object value, String why) {
        if (value != null) {
            throw new InvalidSettingException(this, "must not be set " + why + ": " + value, null);
        }
    }

    static String keys(List<Setting> settings) {
        return settings.stream().map(Setting::key).collect(Collectors.joining(", "));
    }
}
