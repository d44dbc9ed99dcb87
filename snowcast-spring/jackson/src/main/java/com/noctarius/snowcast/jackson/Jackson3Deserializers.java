// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.util.AccessPattern;

/** Deserializers of IDs for Jackson 3. They read JSON strings and, for a long or Long, integer numbers. */
final class Jackson3Deserializers {
    private Jackson3Deserializers() {}

    static final class OfId extends StdScalarDeserializer<Long> {
        private final IdText text;

        /** Jackson's own deserializer, used for null only, because it obeys the mapper's settings for null. */
        private final ValueDeserializer<?> ofNull;

        OfId(IdText text, Class<?> type) {
            super(type);
            this.text = text;
            this.ofNull = NumberDeserializers.find(type);
        }

        @Override
        public @Nullable Long deserialize(JsonParser json, DeserializationContext context) {
            return switch (json.currentToken()) {
                case VALUE_STRING -> read(json.getString(), context);
                case VALUE_NUMBER_INT ->
                    json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                            ? refuse(json.getBigIntegerValue(), context)
                            : Long.valueOf(json.getLongValue());
                case VALUE_NUMBER_FLOAT -> refuse(json.getDecimalValue(), context);
                default -> (Long) context.handleUnexpectedToken(handledType(), json);
            };
        }

        private @Nullable Long read(String found, DeserializationContext context) {
            try {
                return (Long) text.read(found);
            } catch (IllegalArgumentException e) {
                return (Long) context.handleWeirdStringValue(handledType(), found, "%s", e.getMessage());
            }
        }

        private @Nullable Long refuse(Number number, DeserializationContext context) {
            return (Long) context.handleWeirdNumberValue(
                    handledType(), number, "ID must be an integer from %d to %d", Long.MIN_VALUE, Long.MAX_VALUE);
        }

        @Override
        public AccessPattern getNullAccessPattern() {
            return ofNull.getNullAccessPattern();
        }

        @Override
        public @Nullable Long getNullValue(DeserializationContext context) {
            return (Long) ofNull.getNullValue(context);
        }
    }

    /** The deserializer of a String or a record. */
    static final class OfText extends StdScalarDeserializer<Object> {
        private final IdText text;

        OfText(IdText text, Class<?> type) {
            super(type);
            this.text = text;
        }

        @Override
        public @Nullable Object deserialize(JsonParser json, DeserializationContext context) {
            if (!json.hasToken(JsonToken.VALUE_STRING)) {
                return context.handleUnexpectedToken(handledType(), json);
            }
            try {
                return text.read(json.getString());
            } catch (IllegalArgumentException e) {
                return context.handleWeirdStringValue(handledType(), json.getString(), "%s", e.getMessage());
            }
        }
    }

    static final class OfIdArray extends StdDeserializer<long[]> {
        private final OfId ofId;

        OfIdArray(IdText text) {
            super(long[].class);
            this.ofId = new OfId(text, long.class);
        }

        @Override
        public long @Nullable [] deserialize(JsonParser json, DeserializationContext context) {
            if (!json.isExpectedStartArrayToken()) {
                return (long[]) context.handleUnexpectedToken(handledType(), json);
            }
            LongStream.Builder ids = LongStream.builder();
            try {
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    Long id = json.hasToken(JsonToken.VALUE_NULL)
                            ? ofId.getNullValue(context)
                            : ofId.deserialize(json, context);
                    // The ID is null only if a problem handler of the user returned null.
                    ids.add(id == null ? 0L : id);
                }
            } catch (JacksonException e) {
                long[] read = ids.build().toArray();
                throw DatabindException.wrapWithPath(e, read, read.length);
            }
            return ids.build().toArray();
        }
    }

    static final class OfIdKey extends KeyDeserializer {
        private final IdText text;
        private final Class<?> type;

        OfIdKey(IdText text, Class<?> type) {
            this.text = text;
            this.type = type;
        }

        @Override
        public @Nullable Object deserializeKey(String key, DeserializationContext context) {
            try {
                return text.read(key);
            } catch (IllegalArgumentException e) {
                return context.handleWeirdKey(type, key, "%s", e.getMessage());
            }
        }
    }
}
