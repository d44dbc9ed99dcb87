// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks JSON against the server's OpenAPI description. Supports only the features that its schemas use. */
final class OpenApi {
    private static final String REFERENCE = "#/components/schemas/";

    private final JsonNode description;

    OpenApi(String yaml) {
        description = JsonMapper.shared().valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml));
    }

    JsonNode paths() {
        return description.path("paths");
    }

    void assertDescribes(String schema, JsonNode value) {
        assertIs(schema(schema), value, schema);
    }

    private JsonNode schema(String name) {
        JsonNode schema = description.path("components").path("schemas").path(name);
        assertThat(schema.isObject()).as("schema " + name).isTrue();
        return schema;
    }

    private void assertIs(JsonNode schema, JsonNode value, String where) {
        if (schema.has("$ref")) {
            assertIs(schema(schema.get("$ref").asString().substring(REFERENCE.length())), value, where);
            return;
        }
        if (schema.has("oneOf")) { // The second alternative is null.
            assertIs(schema.get("oneOf").get(value.isNull() ? 1 : 0), value, where);
            return;
        }
        JsonNode type = schema.path("type");
        List<String> types =
                type.isArray() ? type.valueStream().map(JsonNode::asString).toList() : List.of(type.asString());
        assertThat(types).as(where + " is " + value).contains(type(value));
        if (value.isObject()) {
            assertThat(value.propertyNames())
                    .as(where)
                    .containsExactlyInAnyOrderElementsOf(
                            schema.path("properties").propertyNames());
            value.forEachEntry((name, part) -> assertIs(schema.get("properties").get(name), part, where + "." + name));
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            assertIs(schema.get("items"), value.get(i), where + "[" + i + "]");
        }
    }

    private static String type(JsonNode value) {
        return value.isNull()
                ? "null"
                : value.isIntegralNumber()
                        ? "integer"
                        : value.isBoolean()
                                ? "boolean"
                                : value.isArray() ? "array" : value.isObject() ? "object" : "string";
    }
}
