// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Tests how springdoc describes IDs with the module's version of Spring Boot. Also tests a client that is generated
 * from this description. {@code npm install} in {@code ../spring-integrations-boot3} installs the generator (see
 * {@code .ci/run}).
 */
@Tag("integration")
class OpenApiTest {
    private static final Path MODULES =
            Path.of("../spring-integrations-boot3/node_modules").toAbsolutePath();
    private static final String DECIMAL = "^-?(0|[1-9][0-9]{0,18})$";
    private static final String CUSTOMER = "^cus_[0-9A-F][0-9A-HJKMNP-TV-Z]{12}$";

    @AutoClose
    private static ConfigurableApplicationContext context;

    private static String url = "";

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(Orders.class)
                .properties("server.port=0", "server.address=127.0.0.1", "snowcast.enabled=false")
                .run();
        url = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
    }

    private static String get(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    private static void requireText(JsonNode schema, String pattern) {
        assertThat(schema.path("type").asText()).as(schema.toString()).isEqualTo("string");
        assertThat(schema.path("pattern").asText()).isEqualTo(pattern);
        assertThat(schema.has("format")).isFalse();
        assertThatCode(() -> java.util.regex.Pattern.compile(pattern)).doesNotThrowAnyException();
    }

    @Test
    void idsAreTextInSchemasAndInParameters() throws Exception {
        JsonNode api = new ObjectMapper().readTree(get("/v3/api-docs"));
        JsonNode order = api.at("/components/schemas/Order/properties");
        requireText(order.path("id"), DECIMAL);
        requireText(order.at("/items/items"), DECIMAL);
        requireText(order.path("customer"), CUSTOMER);
        assertThat(order.at("/colours/additionalProperties/type").asText()).isEqualTo("string");
        assertThat(order.at("/colours/additionalProperties").has("pattern")).isFalse();
        assertThat(order.at("/cents/format").asText()).isEqualTo("int64");
        assertThat(api.at("/components/schemas").has("CustomerId")).isFalse();
        requireText(api.at("/paths/~1orders~1{id}/get/parameters/0/schema"), "^ord_[0-9A-Za-z]{11}$");
        requireText(api.at("/paths/~1customers~1{id}~1orders/get/parameters/0/schema"), CUSTOMER);
        requireText(api.at("/paths/~1customers~1{id}~1orders/get/parameters/1/schema"), DECIMAL);
    }

    @Test
    void whatIsSentMatchesThePatterns() throws Exception {
        JsonNode order = new ObjectMapper().readTree(get("/orders/ord_" + SnowflakeId.toBase62(Orders.ORDER.id())));
        assertThat(order.path("id").asText()).isEqualTo("764796226110234663").matches(DECIMAL);
        assertThat(order.at("/items/1").asText())
                .isEqualTo("-764796226110234663")
                .matches(DECIMAL);
        assertThat(order.path("customer").asText()).matches(CUSTOMER);
    }

    @Test
    void aClientInTypeScriptCompilesAndKeepsAllDigits(@TempDir Path directory) throws Exception {
        String missing = Files.exists(MODULES.resolve("openapi-typescript"))
                ? ""
                : "npm install --prefix " + MODULES.getParent() + " openapi-typescript openapi-fetch typescript";
        if (!missing.isEmpty()) {
            System.out.println("skipped, since this is missing: " + missing);
        }
        Assumptions.assumeTrue(missing.isEmpty(), missing);
        Files.createSymbolicLink(directory.resolve("node_modules"), MODULES);
        Files.writeString(directory.resolve("package.json"), "{\"type\":\"module\"}");
        Files.writeString(directory.resolve("api.json"), get("/v3/api-docs"));
        Files.copy(Path.of(getClass().getResource("client.ts").toURI()), directory.resolve("client.ts"));
        run(directory, MODULES.resolve("openapi-typescript/bin/cli.js").toString(), "api.json", "-o", "api.d.ts");
        run(
                directory,
                MODULES.resolve("typescript/bin/tsc").toString(),
                "--strict",
                "--target",
                "es2022",
                "--module",
                "nodenext",
                "--skipLibCheck",
                "client.ts");
        assertThat(run(directory, "client.js", url, "ord_" + SnowflakeId.toBase62(Orders.ORDER.id())))
                .contains("764796226110234663")
                .endsWith("same\n");
    }

    private static String run(Path directory, String... arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("output.txt");
        ProcessBuilder command = new ProcessBuilder("node")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        command.command().addAll(List.of(arguments));
        Process process = command.start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }
}
