// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a stream of server-sent events. */
final class Events implements AutoCloseable {
    record Event(String name, JsonNode data) {}

    private static final int MOST = 180;

    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    private Events(HttpResponse<InputStream> response) {
        this.response = response;
        this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    static Events open(HttpRequest.Builder request) throws IOException, InterruptedException {
        return new Events(HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofInputStream()));
    }

    HttpResponse<?> response() {
        return response;
    }

    /** Returns the next event, or null at the end of the stream. */
    @Nullable
    Event next() throws IOException {
        String name = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("event:")) {
                name = line.substring("event:".length()).strip();
            } else if (line.startsWith("data:")) {
                return new Event(name, JsonMapper.shared().readTree(line.substring("data:".length())));
            }
        }
        return null;
    }

    /** Reads events until one meets the condition; fails after {@link #MOST} events. */
    Event await(Predicate<Event> isMeant) throws IOException {
        for (int events = 0; events < MOST; events++) {
            Event event = next();
            if (event == null) {
                throw new AssertionError("the stream ended before that");
            }
            if (isMeant.test(event)) {
                return event;
            }
        }
        throw new AssertionError("not within " + MOST + " events");
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
