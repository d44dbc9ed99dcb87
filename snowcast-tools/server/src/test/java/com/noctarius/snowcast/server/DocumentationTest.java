// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests that the server does what {@code docs/server.md} shows. */
@Tag("integration")
class DocumentationTest {
    private static final Path DOCUMENT = Path.of("../../docs/server.md");
    private static final Pattern EXAMPLE =
            Pattern.compile("```bash\n(curl [^`]*?)\n```\n\n```json\n(.*?)```", Pattern.DOTALL);
    /** A command with its continuation lines. */
    private static final Pattern START = Pattern.compile("^java -jar .*\\\\\n(?:  .*\n?)+", Pattern.MULTILINE);

    private static final Pattern URL = Pattern.compile("http://localhost:8080([^' ]*)");
    private static final Pattern HEADER = Pattern.compile("-H '([^:]*): ([^']*)'");
    /** Matches new IDs, which differ from request to request. */
    private static final Pattern NEW_ID = Pattern.compile("\"\\d{15,20}\"");

    @SuppressWarnings("NullAway.Init")
    private static RunningServer open;

    @SuppressWarnings("NullAway.Init")
    private static RunningServer guarded;

    record Example(String command, String answer) {
        @Override
        public String toString() {
            return command;
        }
    }

    static Stream<Example> examples() throws IOException {
        return EXAMPLE
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map(match -> new Example(match.group(1), match.group(2)))
                .toList()
                .stream();
    }

    /**
     * Starts servers with the properties of the document's first command and the sequences of the second, and with
     * those of the second command on another database.
     */
    @BeforeAll
    static void start() throws IOException {
        List<String> ofDatabase = arguments(1);
        List<String> ofCluster = arguments(0);
        ofDatabase.stream()
                .filter(property -> property.startsWith("snowcast.sequences."))
                .forEach(ofCluster::add);
        open = RunningServer.start(ofCluster.toArray(String[]::new));
        assertThat(ofDatabase).anyMatch(property -> property.startsWith("spring.datasource.url=jdbc:postgresql:"));
        ofDatabase.removeIf(property -> property.contains("postgresql"));
        ofDatabase.add("spring.datasource.url=jdbc:h2:mem:page;DB_CLOSE_DELAY=-1");
        ofDatabase.add("snowcast-server.token=" + RunningServer.TOKEN);
        guarded = RunningServer.startWithoutCluster(ofDatabase.toArray(String[]::new));
    }

    /** Returns the properties of the document's command 0 (server with a cluster) or 1 (server with a database). */
    private static List<String> arguments(int block) throws IOException {
        String command = START.matcher(Files.readString(DOCUMENT))
                .results()
                .toList()
                .get(block)
                .group();
        List<String> properties = Pattern.compile("--((?:snowcast|spring)\\.\\S+)")
                .matcher(command)
                .results()
                .map(argument -> argument.group(1))
                .collect(Collectors.toCollection(ArrayList::new));
        assertThat(properties).isNotEmpty();
        return properties;
    }

    @Test
    void aServerWithADatabaseStartsWithTheArgumentsOfThePage() throws Exception {
        for (String path : List.of("/ids/orders", "/integers/products")) {
            HttpRequest.Builder request = guarded.request(path)
                    .header("Authorization", "Bearer " + RunningServer.TOKEN)
                    .POST(BodyPublishers.noBody());
            assertThat(guarded.send(request).statusCode()).isEqualTo(200);
        }
    }

    @AfterAll
    static void stop() {
        open.close();
        guarded.close();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void exampleIsAnsweredAsShown(Example example) throws Exception {
        Matcher url = URL.matcher(example.command());
        assertThat(url.find()).isTrue();
        Matcher header = HEADER.matcher(example.command());
        boolean hasHeader = header.find();
        RunningServer server = hasHeader ? guarded : open;
        HttpRequest.Builder request = server.request(url.group(1));
        if (hasHeader) {
            request.header(header.group(1), header.group(2));
        }
        if (example.command().contains("-X POST")) {
            request.POST(BodyPublishers.noBody());
        }
        String answer = server.send(request).body();
        boolean makesIds = example.command().contains("-X POST");
        assertThat(comparable(answer, makesIds)).isEqualTo(comparable(example.answer(), makesIds));
    }

    private static JsonNode comparable(String json, boolean makesIds) {
        return JsonMapper.shared().readTree(makesIds ? NEW_ID.matcher(json).replaceAll("\"ID\"") : json);
    }

    @Test
    void eachExampleIsRun() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(examples().count())
                .isEqualTo(
                        Pattern.compile("```bash").matcher(document).results().count())
                .isEqualTo(
                        Pattern.compile("```json").matcher(document).results().count());
    }

    @Test
    void referenceHasEachPropertyWithItsDefault() throws IOException {
        ServerProperties defaults = open.bean(ServerProperties.class);
        assertThat(Files.readString(Path.of("../../docs/reference/configuration.md")))
                .contains(
                        "| `" + ServerProperties.TOKEN + "` | " + ServerProperties.MIN_TOKEN_LENGTH + " or more",
                        "| `" + ServerProperties.MAX_COUNT + "` | 1 to " + ServerProperties.MOST_COUNT + " | "
                                + defaults.maxCount() + " |",
                        "| `" + ServerProperties.MAX_STREAMS + "` | 1 to " + ServerProperties.MOST_STREAMS + " | "
                                + defaults.maxStreams() + " |");
        assertThat(ServerProperties.class.getRecordComponents()).hasSize(3);
    }
}
