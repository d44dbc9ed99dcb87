// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.hibernate.Members;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import com.noctarius.snowcast.spring.Snippets;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Tests that WebFlux controllers (docs/reactive.md) and the callback for R2DBC do not block an event loop. */
@Tag("integration")
class NonBlockingTest {
    private static final int REQUESTS = 40;

    /** The prefixes of the names of event-loop threads: those of the web server, and those that test the callback. */
    private static final List<String> WATCHED = List.of("reactor-http-", "watched-");

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Queue<String> BLOCKED = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void watch() {
        BlockHound.builder()
                .loadIntegrations()
                .nonBlockingThreadPredicate(others -> thread -> WATCHED.stream().anyMatch(thread.getName()::startsWith))
                .blockingMethodCallback(method -> {
                    BLOCKED.add(method.toString());
                    throw new BlockingOperationError(method);
                })
                .install();
    }

    record Order(@Id @SnowcastId("orders") long id, String item) {}

    record Stamp(@Id @SnowcastSequence("stamps") int id, int cents) {}

    @RestController
    static class OrderController {
        private final SnowcastSequencer orders;

        OrderController(SnowcastSequencer orders) {
            this.orders = orders;
        }

        @PostMapping("/orders")
        Mono<Long> newOrder() {
            return Mono.fromCompletionStage(orders::nextAsync);
        }
    }

    /** Returns integers. To give BlockHound something to detect, one handler blocks, which handlers must not do. */
    @RestController
    static class Stamps {
        private final IntegerSequence stamps;
        private final SlowStore store;

        Stamps(IntegerSequence stamps, SlowStore store) {
            this.stamps = stamps;
            this.store = store;
        }

        @PostMapping("/stamps")
        Mono<Long> newStamp() {
            CompletableFuture<Long> stage = stamps.nextAsync().toCompletableFuture();
            store.asked.countDown();
            return Mono.fromFuture(stage);
        }

        @GetMapping("/blocking")
        Mono<Long> blocking() {
            return Mono.fromCallable(stamps::next);
        }
    }

    /** A store that reserves no block before all requests of a test are waiting. */
    static final class SlowStore implements BlockStore, AutoCloseable {
        private final BlockStore memory = new MemoryBlockStore();
        final CountDownLatch asked = new CountDownLatch(REQUESTS);

        @Override
        public com.noctarius.snowcast.store.Block reserve(String sequence, long size) {
            try {
                asked.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return memory.reserve(sequence, size);
        }

        /** Releases the waiting threads at the end of the test. */
        @Override
        public void close() {
            while (asked.getCount() > 0) {
                asked.countDown();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    @Import({OrderController.class, Stamps.class})
    static class Application {
        @Bean
        SlowStore store() {
            return new SlowStore();
        }

        @Bean
        IntegerSequence stamps(SlowStore store) {
            return NonBlockingTest.stamps(store);
        }

        @Bean
        SnowcastSequencer orders() {
            return fewPerMillisecond();
        }
    }

    private static IntegerSequence stamps(BlockStore store) {
        // The time limit is long, because the first request waits until the last request has arrived.
        return SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("stamps")
                .maxWait(Duration.ofMinutes(2))
                .store(store)
                .build());
    }

    /** Returns a sequencer with two IDs per millisecond, so that most calls have to wait. */
    private static SnowcastSequencer fewPerMillisecond() {
        return Members.standalone("orders", new SnowcastLayout(41, 7, 1), 1);
    }

    /** A Netty server with the controllers, as Boot would start it. */
    private static final class Server implements AutoCloseable {
        private final AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Application.class);
        private final DisposableServer server = HttpServer.create()
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(
                        WebHttpHandlerBuilder.applicationContext(context).build()))
                .bindNow();

        CompletableFuture<HttpResponse<String>> send(String method, String path) {
            return CLIENT.sendAsync(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }

        @Override
        public void close() {
            server.disposeNow();
            context.close();
        }
    }

    private static List<String> sendAll(Server server, String path) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> responses = IntStream.range(0, REQUESTS)
                .mapToObj(i -> server.send("POST", path))
                .toList();
        CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new)).get(3, TimeUnit.MINUTES);
        assertThat(responses).allMatch(response -> response.join().statusCode() == 200);
        return responses.stream().map(response -> response.join().body()).toList();
    }

    @Test
    void controllersWaitForIdsAndIntegersWithoutBlockingAnEventLoop() throws Exception {
        try (Server server = new Server()) {
            // Ignore blocking calls during the first request, for which the server still loads classes.
            server.send("POST", "/orders").get(3, TimeUnit.MINUTES);
            BLOCKED.clear();

            assertThat(sendAll(server, "/orders")).doesNotHaveDuplicates();
            assertThat(sendAll(server, "/stamps")).doesNotHaveDuplicates();
            assertThat(BLOCKED).isEmpty();
        }
    }

    /** Proves that BlockHound detects a blocking call in this setup. */
    @Test
    void blockHoundBites() throws Exception {
        try (Server server = new Server()) {
            HttpResponse<String> response = server.send("GET", "/blocking").get(3, TimeUnit.MINUTES);
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(BLOCKED).isNotEmpty().allMatch(method -> method.contains("park"));
        }
    }

    @Test
    void callbackOfR2dbcWaitsForIdsAndIntegersWithoutBlockingAnEventLoop() {
        SlowStore store = new SlowStore();
        RelationalMappingContext context = new RelationalMappingContext();
        ReactiveSnowcastIdCallback callback = new ReactiveSnowcastIdCallback(
                context, Map.of("orders", fewPerMillisecond()), Map.of("stamps", stamps(store)));
        // Register the entities in advance, as the start of an application does, because Spring Data analyzes unknown
        // entities under a lock.
        context.setInitialEntitySet(Set.of(Order.class, Stamp.class));
        context.afterPropertiesSet();
        Scheduler watched = Schedulers.newParallel("watched", 2);
        BLOCKED.clear();
        try {
            assertThat(saveAll(watched, i -> filled(callback, new Order(0, "an item"))))
                    .extracting(order -> ((Order) order).id())
                    .doesNotHaveDuplicates()
                    .doesNotContain(0L);
            assertThat(saveAll(watched, i -> {
                        Mono<Object> stamp = filled(callback, new Stamp(0, i));
                        return stamp.doOnSubscribe(subscription -> store.asked.countDown());
                    }))
                    .extracting(stamp -> ((Stamp) stamp).id())
                    .doesNotHaveDuplicates()
                    .doesNotContain(0);
        } finally {
            watched.dispose();
        }
        assertThat(BLOCKED).isEmpty();
    }

    private interface Save {
        Mono<Object> of(int index);
    }

    private static List<Object> saveAll(Scheduler watched, Save save) {
        List<Object> saved = Objects.requireNonNull(Flux.range(0, REQUESTS)
                .flatMap(i -> Mono.defer(() -> save.of(i)).subscribeOn(watched), REQUESTS)
                .collectList()
                .block(Duration.ofMinutes(3)));
        assertThat(saved).hasSize(REQUESTS);
        return saved;
    }

    private static Mono<Object> filled(ReactiveSnowcastIdCallback callback, Object entity) {
        return Mono.from(callback.onBeforeConvert(entity, SqlIdentifier.unquoted("any")));
    }

    @Test
    void whatTheDocumentShowsIsWhatRunsHere() throws IOException {
        String here = Files.readString(Path.of(
                "../../snowcast-spring/starter/src/test/java/com/noctarius/snowcast/spring/data/NonBlockingTest.java"));
        assertThat(Snippets.of(Path.of("../../docs/reactive.md"), "java"))
                .hasSize(2)
                .allMatch(code -> plain(here).contains(plain(code)));
    }

    private static String plain(String code) {
        return code.replaceAll("\\s+|static ", " ").replaceAll(" +", " ").strip();
    }
}
