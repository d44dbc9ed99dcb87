// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Makes the beans of the XML namespace from the texts of their attributes. A missing attribute, and a
 * placeholder that resolves to nothing, is an empty text.
 */
final class SnowcastXml {
    private SnowcastXml() {}

    static Snowcast system(HazelcastInstance hazelcast, String backupCount) {
        try {
            Integer count = parse(SequencerSetting.BACKUP_COUNT, backupCount, Integer::valueOf);
            return count == null ? SnowcastSystem.snowcast(hazelcast) : SnowcastSystem.snowcast(hazelcast, count);
        } catch (InvalidSettingException e) {
            throw new IllegalArgumentException(
                    "<snowcast:system> " + e.setting().key() + " " + e.reason(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "<snowcast:system> " + SequencerSetting.BACKUP_COUNT.key() + " cannot be used: " + e.getMessage(),
                    e);
        }
    }

    // One argument for each attribute, in the order of SequencerSetting.
    @SuppressWarnings("TooManyParameters")
    static SequencerFactoryBean sequencer(
            Snowcast snowcast,
            String id,
            String name,
            String epoch,
            String layout,
            String maxLogicalNodes,
            String counterStart,
            String ordering,
            String lease,
            String backupCount) {
        try {
            SnowcastProperties.Sequencer settings = new SnowcastProperties.Sequencer(
                    parse(SequencerSetting.NAME, name, Function.identity()),
                    parse(SequencerSetting.EPOCH, epoch, Instant::parse),
                    parse(SequencerSetting.LAYOUT, layout, Function.identity()),
                    parse(SequencerSetting.MAX_LOGICAL_NODES, maxLogicalNodes, Integer::valueOf),
                    parse(SequencerSetting.COUNTER_START, counterStart, text -> CounterStart.valueOf(upper(text))),
                    parse(SequencerSetting.ORDERING, ordering, text -> Ordering.valueOf(upper(text))),
                    parse(SequencerSetting.LEASE, lease, SnowcastXml::duration),
                    parse(SequencerSetting.BACKUP_COUNT, backupCount, Integer::valueOf));
            SequencerConfig config = settings.toConfig(id, null);
            return new SequencerFactoryBean(snowcast, config);
        } catch (InvalidSettingException e) {
            throw new IllegalArgumentException(
                    "<snowcast:sequencer id=\"" + id + "\"> " + e.setting().key() + " " + e.reason(), e);
        }
    }

    static IntegerSequenceFactoryBean sequence(
            Snowcast snowcast,
            String id,
            @Nullable BlockStore store,
            @Nullable BlockStore parentStore,
            Map<String, String> attributes) {
        try {
            Attributes of = new Attributes(attributes);
            SnowcastProperties.Sequence settings = new SnowcastProperties.Sequence(
                    of.parse(SequenceSetting.NAME, Function.identity()),
                    of.parse(SequenceSetting.FIRST_VALUE, Long::valueOf),
                    of.parse(SequenceSetting.LAST_VALUE, Long::valueOf),
                    of.parse(SequenceSetting.BLOCK_SIZE, Long::valueOf),
                    of.parse(SequenceSetting.MIN_BLOCK_SIZE, Long::valueOf),
                    of.parse(SequenceSetting.MAX_BLOCK_SIZE, Long::valueOf),
                    of.parse(SequenceSetting.BLOCK_DURATION, SnowcastXml::duration),
                    of.parse(SequenceSetting.PREFETCH_THRESHOLD, Double::valueOf),
                    of.parse(SequenceSetting.MAX_WAIT, SnowcastXml::duration),
                    of.parse(SequenceSetting.ORDERING, text -> Ordering.valueOf(upper(text))),
                    of.parse(SequenceSetting.BACKUP_COUNT, Integer::valueOf),
                    of.parse(SequenceSetting.STORE_REF, Function.identity()),
                    of.parse(SequenceSetting.PARENT_STORE_REF, Function.identity()),
                    of.parse(SequenceSetting.RANGE_SIZE, Long::valueOf),
                    of.parse(SequenceSetting.FIRST_VALUE_AFTER_LOSS, Long::valueOf),
                    of.parse(SequenceSetting.LOST_BEFORE, Instant::parse));
            IntegerSequenceConfig config = settings.toConfig(id, store, parentStore);
            return new IntegerSequenceFactoryBean(
                    config.name(), () -> settings.create(snowcast, config), UnaryOperator.identity());
        } catch (InvalidSettingException e) {
            throw new IllegalArgumentException(
                    "<snowcast:sequence id=\"" + id + "\"> " + e.setting().key() + " " + e.reason(), e);
        }
    }

    /** The attributes of an element, by their names. */
    private record Attributes(Map<String, String> texts) {
        <T> @Nullable T parse(Setting setting, Function<String, T> parser) {
            return SnowcastXml.parse(setting, texts.getOrDefault(setting.key(), ""), parser);
        }
    }

    private static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    private static Duration duration(String text) {
        return DurationFormatterUtils.detectAndParse(text);
    }

    private static <T> @Nullable T parse(Setting setting, String text, Function<String, T> parser) {
        if (text.isBlank()) {
            return null;
        }
        try {
            return parser.apply(text.trim());
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new InvalidSettingException(setting, "must be " + setting.allowed() + ": " + text, e);
        }
    }
}
