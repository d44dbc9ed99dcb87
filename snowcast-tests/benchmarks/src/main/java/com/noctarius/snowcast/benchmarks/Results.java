// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads and writes figures in a JSON file: an array of {@link Result} objects. */
public final class Results {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Results() {}

    /** Replaces a file. Creates its folder if it does not exist. */
    public static void write(Path file, List<Result> results) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        JSON.writeValue(file.toFile(), results);
    }

    public static List<Result> read(Path file) throws IOException {
        return JSON.readValue(file.toFile(), new TypeReference<List<Result>>() {});
    }
}
