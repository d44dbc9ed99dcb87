// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Members and clients with the jar of the baseline and with that of today are one cluster: each is owner, backup and
 * holder for the other. Whoever changes what is sent, without a new version of the wire format, sees it fail.
 */
@ParameterizedClass
@MethodSource("pairs")
@Tag("integration")
class MixedVersionsClusterTest {
    private static final String LEASE_MILLIS = "2000";

    private final Version elder;
    private final Version younger;

    @AutoClose
    private VersionCluster cluster;

    MixedVersionsClusterTest(Version elder, Version younger) {
        this.elder = elder;
        this.younger = younger;
    }

    static Stream<Arguments> pairs() {
        return Stream.of(
                Arguments.of(Version.BASELINE, Version.PRESENT), Arguments.of(Version.PRESENT, Version.BASELINE));
    }

    @BeforeEach
    void start(@TempDir Path directory) {
        cluster = new VersionCluster(directory, Map.of("snowcast.lease.millis", LEASE_MILLIS));
    }

    /** As in a rolling upgrade, or one that is taken back: the other version comes, and the first goes. */
    @Tag("faults")
    @Test
    void eachServesTheOtherAndTakesOverWhatItHas() throws IOException {
        VersionProcess first = cluster.addMember(elder);
        cluster.useAll(VersionCluster.NAMES);
        VersionProcess second = cluster.addMember(younger);
        requireOwner(first);
        requireOwner(second);
        cluster.addClient(elder);
        cluster.addClient(younger);
        cluster.useAll(VersionCluster.NAMES);

        requireExtensions();
        requireDetachAndAttach();
        requireOneDefinition();
        requireStatus();
        List<String> left = requireDestruction();
        cluster.useAll(left);

        cluster.leave(first);
        cluster.awaitMembers();
        cluster.useAll(left);
        requireOwner(cluster.addMember(elder));
        cluster.useAll(left);
    }

    private static void requireOwner(VersionProcess member) {
        assertThat(VersionCluster.NAMES)
                .as("names whose owner is %s", member)
                .anyMatch(name -> member.ask("owns", name).equals("true"));
    }

    private void requireExtensions() {
        for (VersionProcess process : cluster.all()) {
            for (String name : VersionCluster.NAMES) {
                Await.until(
                        "two extensions of " + name + " by " + process,
                        () -> Long.parseLong(process.ask("extensions", name)) >= 2);
            }
        }
        cluster.useAll(VersionCluster.NAMES);
    }

    private void requireDetachAndAttach() {
        for (VersionProcess process : cluster.all()) {
            for (String name : VersionCluster.NAMES) {
                assertThat(process.ask("detach", name)).isEqualTo("Detached");
                assertThat(process.refusal("ids", name, 1)).startsWith("SnowcastStateException: ");
                assertThat(process.ask("attach", name)).isEqualTo("Attached");
            }
        }
        cluster.useAll(VersionCluster.NAMES);
    }

    private void requireOneDefinition() {
        for (VersionProcess process : cluster.all()) {
            String name = "defined-by-" + process.label();
            process.ask("create", name, VersionMain.NODES);
            for (VersionProcess other : cluster.all()) {
                if (other != process) {
                    assertThat(other.refusal("create", name, 8_192))
                            .startsWith("SnowcastSequencerAlreadyRegisteredException: ");
                }
            }
        }
    }

    private void requireStatus() {
        for (VersionProcess process : cluster.all()) {
            assertThat(process.ask("holders", VersionCluster.NAMES.get(0))).isEqualTo("4");
        }
    }

    /** Each destroys some names, of which the others hear; returns what is left. */
    private List<String> requireDestruction() {
        List<String> left = new ArrayList<>(VersionCluster.NAMES);
        for (VersionProcess process : cluster.all()) {
            for (String name : List.of(left.remove(0), left.remove(0))) {
                assertThat(process.ask("destroy", name)).isEqualTo("Destroyed");
                for (VersionProcess other : cluster.all()) {
                    Await.until(
                            other + " hears that " + process + " destroyed " + name,
                            () -> other.ask("state", name).equals("Destroyed"));
                }
            }
        }
        return left;
    }
}
