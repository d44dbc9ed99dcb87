// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * The factory methods of the beans of the XML namespace. They take the values of attributes as text; an empty text
 * means that the attribute is missing or its placeholder has no value.
 */
final class SnowcastXml {
    private SnowcastXml() {}

    static Snowcast system(HazelcastInstance hazelcast, String backupCount) {
        try {
            Integer count = parse(Setting.BACKUP_COUNT, backupCount, Integer::valueOf);
            return count == null ? SnowcastSystem.snowcast(hazelcast) : SnowcastSystem.snowcast(hazelcast, count);
        } catch (InvalidSettingException e) {
            throw invalid("system", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "<snowcast:system> " + Setting.BACKUP_COUNT.key() + " cannot be used: " + e.getMessage(), e);
        }
    }

    static SequencerFactoryBean sequencer(Snowcast snowcast, String id, Map<String, String> attributes) {
        try {
            Attributes of = new Attributes(attributes);
            SnowcastProperties.Sequencer settings = new SnowcastProperties.Sequencer(
                    of.parse(Setting.NAME, Function.identity()),
                    of.parse(Setting.EPOCH, Instant::parse),
                    of.parse(Setting.LAYOUT, Function.identity()),
                    of.parse(Setting.MAX_LOGICAL_NODES, Integer::valueOf),
                    of.parse(Setting.COUNTER_START, text -> CounterStart.valueOf(upper(text))),
                    of.parse(Setting.LEASE, SnowcastXml::duration),
                    of.parse(Setting.BACKUP_COUNT, Integer::valueOf),
                    of.parse(Setting.START_ABOVE, Function.identity()));
            return new SequencerFactoryBean(snowcast, settings.toConfig(id, null));
        } catch (InvalidSettingException e) {
            throw invalid("sequencer id=\"" + id + '"', e);
        }
    }

    static IntegerSequenceFactoryBean sequence(
            Snowcast snowcast, String id, Map<String, String> attributes, @Nullable BlockStore store) {
        try {
            Attributes of = new Attributes(attributes);
            SnowcastProperties.Sequence settings = new SnowcastProperties.Sequence(
                    of.parse(Setting.NAME, Function.identity()),
                    of.parse(Setting.FIRST_VALUE, Long::valueOf),
                    of.parse(Setting.LAST_VALUE, Long::valueOf),
                    of.parse(Setting.BLOCK_SIZE, Long::valueOf),
                    of.parse(Setting.MIN_BLOCK_SIZE, Long::valueOf),
                    of.parse(Setting.MAX_BLOCK_SIZE, Long::valueOf),
                    of.parse(Setting.BLOCK_DURATION, SnowcastXml::duration),
                    of.parse(Setting.PREFETCH_THRESHOLD, Double::valueOf),
                    of.parse(Setting.MAX_WAIT, SnowcastXml::duration),
                    of.parse(Setting.STORE_REF, Function.identity()));
            return new IntegerSequenceFactoryBean(snowcast, settings.toConfig(id, store));
        } catch (InvalidSettingException e) {
            throw invalid("sequence id=\"" + id + '"', e);
        }
    }

    private static IllegalArgumentException invalid(String element, InvalidSettingException e) {
        return new IllegalArgumentException(
                "<snowcast:" + element + "> " + e.setting().key() + " " + e.reason(), e);
    }

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
