// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;

class SurroundingsTest {
    @ParameterizedTest
    @ValueSource(strings = {"/.dockerenv", "/run/.containerenv"})
    void aFileOfTheContainerIsASign(String file) {
        assertThat(Surroundings.of(new MockEnvironment(), Path.of(file)::equals).container())
                .isEqualTo("a container (" + file + " exists)");
    }

    @Test
    void aVariableOfKubernetesIsASign() {
        MockEnvironment pod = new MockEnvironment().withProperty("KUBERNETES_SERVICE_HOST", "10.0.0.1");
        assertThat(Surroundings.of(pod, unused -> true).container())
                .isEqualTo("a pod of Kubernetes (KUBERNETES_SERVICE_HOST is set)");
    }

    @Test
    void withoutASignItIsNoContainer() {
        assertThat(Surroundings.of(new MockEnvironment(), unused -> false).container())
                .isNull();
    }
}
