// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Makes the beans of the XML namespace from the texts of their attributes. An attribute that is not there, or whose
 * placeholder is replaced by nothing, is an empty text.
 */
final class SnowcastXml {
    private SnowcastXml() {}

    static Snowcast system(HazelcastInstance hazelcast, String backupCount) {
        try {
            Integer count = parse(Setting.BACKUP_COUNT, backupCount, Integer::valueOf);
            return count == null ? SnowcastSystem.snowcast(hazelcast) : SnowcastSystem.snowcast(hazelcast, count);
        } catch (InvalidSettingException e) {
            throw new IllegalArgumentException(
                    "<snowcast:system> " + e.setting().key() + " " + e.reason(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "<snowcast:system> " + Setting.BACKUP_COUNT.key() + " cannot be used: " + e.getMessage(), e);
        }
    }

    // One argument for each attribute, in the order of Setting.
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
                    parse(Setting.NAME, name, Function.identity()),
                    parse(Setting.EPOCH, epoch, Instant::parse),
                    parse(Setting.LAYOUT, layout, Function.identity()),
                    parse(Setting.MAX_LOGICAL_NODES, maxLogicalNodes, Integer::valueOf),
                    parse(Setting.COUNTER_START, counterStart, text -> CounterStart.valueOf(upper(text))),
                    parse(Setting.ORDERING, ordering, text -> Ordering.valueOf(upper(text))),
                    parse(Setting.LEASE, lease, SnowcastXml::duration),
                    parse(Setting.BACKUP_COUNT, backupCount, Integer::valueOf));
            SequencerConfig config = settings.toConfig(id, null);
            return new SequencerFactoryBean(snowcast, config);
        } catch (InvalidSettingException e) {
            throw new IllegalArgumentException(
                    "<snowcast:sequencer id=\"" + id + "\"> " + e.setting().key() + " " + e.reason(), e);
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
