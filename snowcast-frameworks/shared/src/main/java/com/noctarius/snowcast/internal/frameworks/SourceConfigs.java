// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Converts properties to the configuration of a sequencer, an integer sequence or a node lease. */
final class SourceConfigs {
    static final String LEASE = "a duration from 1s to 30d, such as 5m";

    static final List<String> OF_SEQUENCER = List.of(
            "name", "epoch", "layout", "max-logical-nodes", "counter-start", "lease", "backup-count", "start-above");
    static final List<String> OF_SEQUENCE =
            List.of("name", "first-value", "last-value", "block-size", "prefetch-threshold", "max-wait");
    static final List<String> OF_NODE_LEASE = List.of("name", "max-nodes", "lease", "backup-count");

    private static final String NAME = "a name of 1 to 255 characters, none of them a control character";
    private static final String BACKUPS = "a number from 0 to 6";
    private static final String EPOCH = "an instant that is not in the future, such as 2024-01-01T00:00:00Z";

    private SourceConfigs() {}

    static SequencerConfig sequencer(String key, Section section, Optional<Duration> defaultLease) {
        section.requireKnown(OF_SEQUENCER);
        SequencerConfig.Builder config = named(key, section, SequencerConfig::builder)
                .epoch(section.get("epoch", EPOCH, text -> SnowcastEpoch.byInstant(Instant.parse(text)))
                        .orElseThrow(() -> missing(section, "epoch", EPOCH)));
        Optional<SnowcastLayout> layout = section.get(
                "layout",
                "default, positive, javascript, or the bits of time, node ID and counter, such as 41/13/10",
                SourceConfigs::layout);
        Optional<SnowcastLayout> byNodes = section.get(
                "max-logical-nodes",
                "a number from 128 to 8192",
                text -> SnowcastLayout.forMaxLogicalNodeCount(Integer.parseInt(text)));
        if (layout.isPresent() && byNodes.isPresent()) {
            throw new IllegalArgumentException(
                    section.nameOf("max-logical-nodes") + " must not be set together with layout");
        }
        config.layout(layout.or(() -> byNodes).orElse(SnowcastLayout.DEFAULT));
        section.set(
                "counter-start",
                "random or zero",
                text -> config.counterStart(CounterStart.valueOf(Section.constant(text))));
        defaultLease.ifPresent(config::lease);
        section.set("lease", LEASE, text -> config.lease(Section.duration(text)));
        section.set("backup-count", BACKUPS, text -> config.backupCount(Integer.parseInt(text)));
        section.set(
                "start-above",
                "an ID, 0 to 18446744073709551615",
                text -> config.startAbove(Long.parseUnsignedLong(text)));
        return config.build();
    }

    private static SnowcastLayout layout(String text) {
        SnowcastLayout layout = SnowcastLayout.parse(text);
        if (layout.logicalNodeCount() > SnowcastLayout.MAX_LOGICAL_NODE_COUNT) {
            throw new IllegalArgumentException("the bits of node IDs must be 1 to 13");
        }
        return layout;
    }

    static IntegerSequenceConfig sequence(String key, Section section) {
        section.requireKnown(OF_SEQUENCE);
        IntegerSequenceConfig.Builder config = named(key, section, IntegerSequenceConfig::builder);
        String lastValue = "a number that is not below first-value";
        section.set("first-value", "a number from 0", text -> config.firstValue(Long.parseLong(text)));
        section.set("last-value", lastValue, text -> config.lastValue(Long.parseLong(text)));
        section.set("block-size", "a number from 1 to 16777216", text -> config.blockSize(Long.parseLong(text)));
        section.set(
                "prefetch-threshold",
                "a number above 0 and at most 1, such as 0.5",
                text -> config.prefetchThreshold(Double.parseDouble(text)));
        section.set(
                "max-wait", "a duration from 0s to 365d, such as 10s", text -> config.maxWait(Section.duration(text)));
        return Section.checked(
                section.nameOf("last-value"),
                lastValue,
                section.text("last-value").orElse("not set"),
                text -> config.build());
    }

    static NodeLeaseConfig nodeLease(String key, Section section, Optional<Duration> defaultLease) {
        section.requireKnown(OF_NODE_LEASE);
        String maxNodes = "the number of node IDs that the generator has room for, from 2 to 65536";
        NodeLeaseConfig.Builder config = named(key, section, NodeLeaseConfig::builder);
        section.set("max-nodes", maxNodes, text -> config.maxNodeCount(Integer.parseInt(text)));
        if (section.text("max-nodes").isEmpty()) {
            throw missing(section, "max-nodes", maxNodes);
        }
        defaultLease.ifPresent(config::lease);
        section.set("lease", LEASE, text -> config.lease(Section.duration(text)));
        section.set("backup-count", BACKUPS, text -> config.backupCount(Integer.parseInt(text)));
        return config.build();
    }

    private static <B> B named(String key, Section section, Function<String, B> builder) {
        return Section.checked(section.nameOf("name"), NAME, section.text("name").orElse(key), builder);
    }

    private static IllegalArgumentException missing(Section section, String key, String allowed) {
        return new IllegalArgumentException(section.nameOf(key) + " is missing; it must be " + allowed);
    }
}
