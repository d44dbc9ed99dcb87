// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Threads;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.json.JsonMapper;

/** Returns the status once, or as a stream of server-sent events for as long as a client listens. */
@RestController
final class StatusController {
    private static final MediaType TEXT = new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8);
    private static final long NO_TIMEOUT = 0;
    private static final System.Logger LOG = System.getLogger(StatusController.class.getName());

    /** The maximum wait for a status. Usually there is a new status each second. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration FOREVER = Duration.ofDays(365);

    private final Live live;
    private final History history;
    private final JsonMapper json;
    private final int maxStreams;
    private final Semaphore streams;
    /** Each stream has its own thread, because its client may read slowly. */
    private final ExecutorService senders = Executors.newCachedThreadPool(Threads.daemons("snowcast-server-stream"));

    private @Nullable Status writtenStatus;
    private String writtenText = "";

    StatusController(Live live, History history, JsonMapper json, ServerProperties properties) {
        this.live = live;
        this.history = history;
        this.json = json;
        this.maxStreams = properties.maxStreams();
        this.streams = new Semaphore(maxStreams);
    }

    @GetMapping("/status")
    Status status() throws InterruptedException {
        try (Live.Watcher watcher = live.watch()) {
            Status status = watcher.next(PATIENCE);
            if (status == null) {
                throw new SnowcastUnavailableException(
                        "There is no status: this server is shutting down, or its member or client was shut down",
                        null);
            }
            return status;
        }
    }

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events(HttpServletResponse response) {
        if (!streams.tryAcquire()) {
            throw new TooManyStreamsException(maxStreams);
        }
        response.setHeader("X-Accel-Buffering", "no"); // Without this header, nginx buffers events.
        SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
        try {
            senders.execute(() -> send(emitter));
        } catch (RuntimeException | Error e) { // The server shuts down, or the process cannot create more threads.
            streams.release();
            throw e;
        }
        return emitter;
    }

    /** Sends a status and the history. Then sends, once a second, the status if it has changed, or only its time. */
    private void send(SseEmitter emitter) {
        Status sent = null;
        try (Live.Watcher watcher = live.watch()) {
            for (Status status = watcher.next(FOREVER); status != null; status = watcher.next(FOREVER)) {
                if (sent != null && status.isSame(sent)) {
                    emit(emitter, "tick", json.writeValueAsString(Map.of("time", status.time())));
                } else {
                    emit(emitter, "status", written(status));
                    if (sent == null) {
                        emit(emitter, "history", json.writeValueAsString(history.kept()));
                    }
                    sent = status;
                }
            }
            emitter.complete();
        } catch (IOException | IllegalStateException e) {
            LOG.log(System.Logger.Level.DEBUG, "The reader of a stream is gone, which is how most end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            emitter.complete();
        } finally {
            streams.release();
        }
    }

    private static void emit(SseEmitter emitter, String event, String data) throws IOException {
        emitter.send(SseEmitter.event().name(event).data(data, TEXT));
    }

    /** Returns the status as JSON. All streams share one string, which takes megabytes for a large cluster. */
    @SuppressWarnings("ReferenceEquality") // All streams get the same object, and comparing contents would take long.
    private synchronized String written(Status status) {
        if (writtenStatus != status) {
            writtenText = json.writeValueAsString(status);
            writtenStatus = status;
        }
        return writtenText;
    }

    /** Ends all streams before Boot waits for active requests, because a stream never ends by itself. */
    @EventListener(ContextClosedEvent.class)
    void end() {
        live.close();
        senders.shutdown();
    }
}
