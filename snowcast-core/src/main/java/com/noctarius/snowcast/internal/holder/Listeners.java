// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.internal.base.Log;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The listeners of a {@code HazelcastInstance} for one kind of finding. Thread-safe. */
final class Listeners<T> {
    private final Map<UUID, Consumer<T>> byId = new ConcurrentHashMap<>();
    private final Log log;

    Listeners(Log log) {
        this.log = log;
    }

    UUID add(Consumer<T> listener) {
        Objects.requireNonNull(listener, "listener");
        UUID id = UUID.randomUUID();
        byId.put(id, listener);
        return id;
    }

    /** Returns whether there was one. */
    boolean remove(UUID id) {
        return byId.remove(id) != null;
    }

    /** Tells all listeners of all findings. One that throws is logged once, however many there are. */
    void tell(List<T> findings) {
        for (Consumer<T> listener : byId.values()) {
            Throwable failure = null;
            for (T finding : findings) {
                try {
                    listener.accept(finding);
                } catch (RuntimeException | Error e) {
                    failure = failure == null ? e : failure;
                }
            }
            if (failure != null) {
                log.warning("A listener failed: " + listener, failure);
            }
        }
    }
}
