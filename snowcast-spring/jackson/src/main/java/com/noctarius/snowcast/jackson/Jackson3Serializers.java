// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdScalarSerializer;
import tools.jackson.databind.ser.std.StdSerializer;

/** Serializers that write IDs as JSON strings with Jackson 3. */
final class Jackson3Serializers {
    private Jackson3Serializers() {}

    static final class OfId extends StdScalarSerializer<Object> {
        private final IdText text;

        OfId(IdText text) {
            super(Object.class);
            this.text = text;
        }

        @Override
        public void serialize(Object id, JsonGenerator json, SerializationContext context) {
            json.writeString(text.write(id));
        }
    }

    static final class OfIdArray extends StdScalarSerializer<long[]> {
        private final IdText text;

        OfIdArray(IdText text) {
            super(long[].class);
            this.text = text;
        }

        @Override
        public boolean isEmpty(SerializationContext context, long[] ids) {
            return ids.length == 0;
        }

        @Override
        public void serialize(long[] ids, JsonGenerator json, SerializationContext context) {
            json.writeStartArray(ids, ids.length);
            for (long id : ids) {
                json.writeString(text.write(id));
            }
            json.writeEndArray();
        }
    }

    static final class OfIdKey extends StdSerializer<Object> {
        private final IdText text;

        OfIdKey(IdText text) {
            super(Object.class);
            this.text = text;
        }

        @Override
        public void serialize(Object id, JsonGenerator json, SerializationContext context) {
            json.writeName(text.write(id));
        }
    }
}
