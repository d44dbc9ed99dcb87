// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/**
 * Validates the manifests of ops/kubernetes with the schemas in the Java client of the Kubernetes API. The validation
 * finds missing and unknown fields and wrong types, at any depth.
 */
class KubernetesSchemaTest {
    private static final Path DIRECTORY = Path.of("../../ops/kubernetes");

    /** Kinds without a schema in the client: custom resources, and files that only kubectl reads. */
    private static final List<String> WITHOUT_SCHEMA =
            List.of("ServiceMonitor", "PrometheusRule", "Kustomization", "Component");

    record Resource(Path file, Map<?, ?> content) {
        String kind() {
            return String.valueOf(content.get("kind"));
        }

        @Override
        public String toString() {
            return file.getFileName() + ": " + kind();
        }
    }

    static List<Resource> resources() throws IOException {
        List<Resource> resources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(DIRECTORY)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".yaml")).toList()) {
                for (Object content : new Yaml().loadAll(Files.readString(file))) {
                    resources.add(new Resource(file, (Map<?, ?>) content));
                }
            }
        }
        resources.removeIf(resource -> WITHOUT_SCHEMA.contains(resource.kind()));
        assertThat(resources).hasSizeGreaterThan(20);
        return resources;
    }

    @ParameterizedTest
    @MethodSource("resources")
    void theApiTakesTheResource(Resource resource) {
        assertThatCode(() -> validate(resource.kind(), new Gson().toJsonTree(resource.content())))
                .doesNotThrowAnyException();
    }

    private static void validate(String kind, JsonElement resource) throws Throwable {
        Class<?> model = Class.forName(V1StatefulSet.class.getPackageName() + ".V1" + kind);
        try {
            model.getMethod("validateJsonElement", JsonElement.class).invoke(null, resource);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Tests that the validation finds a mistake. */
    @Test
    void aFieldInTheWrongPlaceIsRefused() {
        Map<String, Object> misplaced = Map.of(
                "apiVersion", "apps/v1",
                "kind", "Deployment",
                "spec",
                        Map.of(
                                "selector", Map.of(),
                                "template", Map.of("spec", Map.of("containers", List.of(), "preStop", Map.of()))));
        assertThatThrownBy(() -> validate("Deployment", new Gson().toJsonTree(misplaced)))
                .hasMessageContaining("preStop");
    }
}
