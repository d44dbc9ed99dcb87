// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.Yaml;

/** A YAML file with its objects; usually a file of ops/kubernetes, with Kubernetes objects. */
record Manifest(Path file, List<Map<?, ?>> objects) {
    static final Path DIRECTORY = Path.of("../../ops/kubernetes");

    /** Reads the file with this name from any directory of ops/kubernetes. */
    static Manifest of(String name) throws IOException {
        try (Stream<Path> files = Files.walk(DIRECTORY)) {
            return of(files.filter(file -> file.endsWith(name)).findAny().orElseThrow());
        }
    }

    static Manifest of(Path file) throws IOException {
        return new Manifest(
                file,
                StreamSupport.stream(new Yaml().loadAll(Files.readString(file)).spliterator(), false)
                        .<Map<?, ?>>map(object -> (Map<?, ?>) object)
                        .toList());
    }

    @Override
    public String toString() {
        return file.getFileName().toString();
    }

    Stream<Map<?, ?>> ofKind(String kind) {
        return objects.stream().filter(object -> kind.equals(object.get("kind")));
    }

    /** Returns the object that creates pods: a StatefulSet or a Deployment. */
    Map<?, ?> workload() {
        return objects.stream()
                .filter(object -> List.of("StatefulSet", "Deployment").contains(object.get("kind")))
                .findAny()
                .orElseThrow();
    }

    Map<?, ?> pod() {
        return map(workload(), "spec", "template", "spec");
    }

    Map<?, ?> container() {
        return map(pod(), "containers", 0);
    }

    /** Returns the files in the ConfigMap, with their names as keys. */
    Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        map(ofKind("ConfigMap").findAny().orElseThrow(), "data")
                .forEach((name, content) -> files.put(name.toString(), content.toString()));
        return files;
    }

    String file(String name) {
        return Manifest.at(files(), name).toString();
    }

    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (Object variable : (List<?>) at(container(), "env")) {
            // A variable that comes from a Secret has no value here.
            Object value = ((Map<?, ?>) variable).get("value");
            environment.put(at(variable, "name").toString(), value == null ? "" : value.toString());
        }
        return environment;
    }

    Properties applicationProperties() throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(files().getOrDefault("application.properties", "")));
        return properties;
    }

    static Map<?, ?> map(Object node, Object... path) {
        return (Map<?, ?>) at(node, path);
    }

    static int number(Object node, Object... path) {
        return (Integer) at(node, path);
    }

    /** Returns the node at a path of keys and indexes; throws an {@link AssertionError} if there is no such node. */
    static Object at(Object node, Object... path) {
        Object found = node;
        for (Object step : path) {
            Object next = step instanceof Integer index ? ((List<?>) found).get(index) : ((Map<?, ?>) found).get(step);
            if (next == null) {
                throw new AssertionError("no " + step + " of " + List.of(path) + " in " + found);
            }
            found = next;
        }
        return found;
    }
}
