// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdScalarSerializer;
import tools.jackson.databind.ser.std.StdSerializer;

/** Jackson 3's serializers of IDs, as text. */
final class Jackson3Serializers {
    private Jackson3Serializers() {}

    static final class OfId extends StdScalarSerializer<Long> {
        private final JsonSnowcastId.Form form;

        OfId(JsonSnowcastId.Form form) {
            super(Long.class);
            this.form = form;
        }

        @Override
        public void serialize(Long id, JsonGenerator json, SerializationContext context) {
            json.writeString(form.write(id));
        }
    }

    static final class OfIdArray extends StdScalarSerializer<long[]> {
        private final JsonSnowcastId.Form form;

        OfIdArray(JsonSnowcastId.Form form) {
            super(long[].class);
            this.form = form;
        }

        @Override
        public boolean isEmpty(SerializationContext context, long[] ids) {
            return ids.length == 0;
        }

        @Override
        public void serialize(long[] ids, JsonGenerator json, SerializationContext context) {
            json.writeStartArray(ids, ids.length);
            for (long id : ids) {
                json.writeString(form.write(id));
            }
            json.writeEndArray();
        }
    }

    static final class OfIdKey extends StdSerializer<Long> {
        private final JsonSnowcastId.Form form;

        OfIdKey(JsonSnowcastId.Form form) {
            super(Long.class);
            this.form = form;
        }

        @Override
        public void serialize(Long id, JsonGenerator json, SerializationContext context) {
            json.writeName(form.write(id));
        }
    }
}
