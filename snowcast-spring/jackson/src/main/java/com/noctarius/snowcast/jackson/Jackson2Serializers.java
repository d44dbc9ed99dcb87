// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.io.Serial;

/** Serializers that write IDs as JSON strings with Jackson 2. */
final class Jackson2Serializers {
    private Jackson2Serializers() {}

    static final class OfId extends StdScalarSerializer<Object> {
        @Serial
        private static final long serialVersionUID = 1L;

        private final IdText text;

        OfId(IdText text) {
            super(Object.class);
            this.text = text;
        }

        @Override
        public void serialize(Object id, JsonGenerator json, SerializerProvider context) throws IOException {
            json.writeString(text.write(id));
        }
    }

    static final class OfIdArray extends StdScalarSerializer<long[]> {
        @Serial
        private static final long serialVersionUID = 1L;

        private final IdText text;

        OfIdArray(IdText text) {
            super(long[].class);
            this.text = text;
        }

        @Override
        public boolean isEmpty(SerializerProvider context, long[] ids) {
            return ids.length == 0;
        }

        @Override
        public void serialize(long[] ids, JsonGenerator json, SerializerProvider context) throws IOException {
            json.writeStartArray(ids, ids.length);
            for (long id : ids) {
                json.writeString(text.write(id));
            }
            json.writeEndArray();
        }
    }

    static final class OfIdKey extends StdSerializer<Object> {
        @Serial
        private static final long serialVersionUID = 1L;

        private final IdText text;

        OfIdKey(IdText text) {
            super(Object.class);
            this.text = text;
        }

        @Override
        public void serialize(Object id, JsonGenerator json, SerializerProvider context) throws IOException {
            json.writeFieldName(text.write(id));
        }
    }
}
