// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Threads that stand for users: each requests one ID after the other from the pods in service. */
final class Traffic implements AutoCloseable {
    private static final int USERS = 3;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final ReadWriteLock service = new ReentrantReadWriteLock();
    private final List<String> inService = new ArrayList<>();
    private final List<Long> ids = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicInteger turn = new AtomicInteger();
    private final List<Thread> users = new ArrayList<>();
    private volatile boolean isOver;

    /** Starts the threads, which request IDs as soon as a pod is in service. */
    Traffic() {
        for (int i = 0; i < USERS; i++) {
            Thread user = new Thread(this::use, "user-" + i);
            user.setDaemon(true);
            user.start();
            users.add(user);
        }
    }

    void add(String address) {
        service.writeLock().lock();
        try {
            inService.add(address);
        } finally {
            service.writeLock().unlock();
        }
    }

    /** Takes a pod out of service. When this returns, no request to the pod is in progress. */
    void remove(String address) {
        service.writeLock().lock();
        try {
            inService.remove(address);
        } finally {
            service.writeLock().unlock();
        }
    }

    private void use() {
        while (!isOver) {
            service.readLock().lock();
            try {
                if (!inService.isEmpty()) {
                    ask(inService.get(Math.floorMod(turn.getAndIncrement(), inService.size())));
                }
            } finally {
                service.readLock().unlock();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private void ask(String address) {
        long start = System.nanoTime();
        try {
            HttpResponse<String> response = get("http://" + address + ":8080/orders/id");
            if (response.statusCode() == 200) {
                ids.add(Long.parseUnsignedLong(response.body()));
                longestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
            } else {
                failures.add(address + ": " + response.statusCode() + " " + response.body());
            }
        } catch (IOException | InterruptedException e) {
            failures.add(address + ": " + e);
        }
    }

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofMinutes(2))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Returns the HTTP status of a URL; 0 if there is no response. */
    static int status(String url) throws InterruptedException {
        try {
            return get(url).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    static String body(String url) throws IOException, InterruptedException {
        return get(url).body();
    }

    int count() {
        return ids.size();
    }

    Duration longest() {
        return Duration.ofNanos(longestNanos.get());
    }

    List<String> failures() {
        return failures;
    }

    List<Long> end() throws InterruptedException {
        isOver = true;
        for (Thread user : users) {
            user.join();
        }
        return ids;
    }

    /** Stops the threads, even after a failed test. */
    @Override
    public void close() {
        isOver = true;
    }
}
