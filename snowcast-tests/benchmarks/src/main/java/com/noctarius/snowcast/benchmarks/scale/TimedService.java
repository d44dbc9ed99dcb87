// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.hazelcast.config.Config;
import com.hazelcast.config.ConfigAccessor;
import com.hazelcast.config.ServiceConfig;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.noctarius.snowcast.internal.cluster.SnowcastService;
import com.noctarius.snowcast.internal.cluster.SnowcastServiceProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Wraps snowcast's Hazelcast service. Measures requests, and the calls that copy a partition, or begin or end its
 * migration.
 */
final class TimedService implements InvocationHandler {
    private @Nullable Object service;

    /** The name of the last method that was called on this thread. */
    private final ThreadLocal<String> former = ThreadLocal.withInitial(() -> "");

    /** The beginning of the request that is running on this thread. */
    private final ThreadLocal<Span> request = ThreadLocal.withInitial(Span::now);

    private TimedService() {}

    /** Makes a member use this wrapper instead of the service that it would find by itself. */
    static void register(Config config) {
        Class<?> type = SnowcastService.class;
        Object proxy = Proxy.newProxyInstance(type.getClassLoader(), type.getInterfaces(), new TimedService());
        ConfigAccessor.getServicesConfig(config)
                .addServiceConfig(new ServiceConfig()
                        .setEnabled(true)
                        .setName(SnowcastService.NAME)
                        .setImplementation(proxy));
        config.getSerializationConfig()
                .addDataSerializableFactory(TimedReplication.FACTORY_ID, TimedReplication.FACTORY);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("init") && arguments != null) {
            service = new SnowcastServiceProvider().getService((NodeEngine) arguments[0]);
        }
        if (method.getDeclaringClass() == Object.class) {
            return method.invoke(this, arguments); // Hazelcast logs the wrapper before init.
        }
        timeRequest(method.getName());
        return switch (method.getName()) {
            case "prepareReplicationOperation" -> {
                Operation operation = (Operation) timed(Piece.MAKING, method, arguments);
                yield operation == null ? null : new TimedReplication(operation);
            }
            case "beforeMigration", "commitMigration", "rollbackMigration" -> timed(Piece.MOVING, method, arguments);
            default -> call(method, arguments);
        };
    }

    /**
     * Measures requests by the methods that they call. A request calls {@code ownerCheck} twice: before it acts, and
     * before it answers, directly after {@code bounds}. A request that fails in between is not counted.
     */
    private void timeRequest(String asked) {
        if (asked.equals("ownerCheck") && former.get().equals("bounds")) {
            Piece.REQUEST.add(Span.since(request.get()));
        } else if (asked.equals("ownerCheck")) {
            request.set(Span.now());
        }
        former.set(asked);
    }

    private @Nullable Object timed(Piece piece, Method method, Object @Nullable [] arguments) throws Throwable {
        Span beginning = Span.now();
        try {
            return call(method, arguments);
        } finally {
            piece.add(Span.since(beginning));
        }
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            method.setAccessible(true); // The interface that operations use is package-private.
            return method.invoke(service, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
