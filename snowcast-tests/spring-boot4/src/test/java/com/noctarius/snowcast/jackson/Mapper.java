// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/** A mapper of Jackson 3 with the modules that its service loader finds. */
final class Mapper {
    static final Class<? extends Exception> INVALID_FORMAT = InvalidFormatException.class;
    static final Class<? extends Exception> MISMATCHED_INPUT = MismatchedInputException.class;
    static final Class<? extends Exception> INVALID_DEFINITION = InvalidDefinitionException.class;
    private static final JsonMapper JSON =
            JsonMapper.builder().findAndAddModules().build();

    private Mapper() {}

    static String write(Object value) {
        return JSON.writeValueAsString(value);
    }

    static <T> T read(String json, Class<T> type) {
        return JSON.readValue(json, type);
    }

    static <T> T read(String json, Class<T> type, boolean failOnNull) {
        return (failOnNull
                        ? JSON.readerFor(type).with(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                        : JSON.readerFor(type).without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES))
                .readValue(json);
    }
}
