// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** A mapper of Jackson 2 with the modules that its service loader finds. */
final class Mapper {
    static final Class<? extends Exception> INVALID_FORMAT = InvalidFormatException.class;
    static final Class<? extends Exception> MISMATCHED_INPUT = MismatchedInputException.class;
    static final Class<? extends Exception> INVALID_DEFINITION = InvalidDefinitionException.class;
    private static final ObjectMapper JSON =
            JsonMapper.builder().findAndAddModules().build();

    private Mapper() {}

    static String write(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw sneaky(e);
        }
    }

    static <T> T read(String json, Class<T> type) {
        try {
            return JSON.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw sneaky(e);
        }
    }

    static <T> T read(String json, Class<T> type, boolean failOnNull) {
        try {
            return (failOnNull
                            ? JSON.readerFor(type).with(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                            : JSON.readerFor(type).without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES))
                    .readValue(json);
        } catch (JsonProcessingException e) {
            throw sneaky(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException sneaky(Exception e) throws E {
        throw (E) e;
    }
}
