// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HazelcastVersionTest {
    private static final Map<String, String> NOTHING_SET = Map.of();

    @ParameterizedTest
    @ValueSource(strings = {"5.4.0", "5.5.2", "5.6", "5.7.0-SNAPSHOT"})
    void theVersionsThatAreTestedStart(String version) {
        assertThat(HazelcastVersion.refusal(version, NOTHING_SET::get)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"4.5.4", "5.3.8", "5.8.0", "5.40.0", "6.0.0", "15.5.0", "a version that does not say which"})
    void othersAreRefused(String version) {
        assertThat(HazelcastVersion.refusal(version, NOTHING_SET::get))
                .startsWith("snowcast 3.0 runs with Hazelcast 5.4 to 5.7; this is " + version + " (");
    }

    @Test
    void aPropertyHasThemTried() {
        String property = "snowcast.hazelcast.version.check";

        assertThat(HazelcastVersion.refusal("6.0.0", Map.of(property, "false")::get))
                .isNull();
        assertThat(HazelcastVersion.refusal("6.0.0", Map.of(property, "true")::get))
                .contains(property + "=false");
    }
}
