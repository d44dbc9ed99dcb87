// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.base.Log;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The listeners of a {@code Snowcast} for possible duplicates. Thread-safe. */
final class Listeners {
    private final Map<UUID, Consumer<PossibleDuplicates>> byId = new ConcurrentHashMap<>();
    private final Log log;

    Listeners(Log log) {
        this.log = log;
    }

    UUID add(Consumer<PossibleDuplicates> listener) {
        Objects.requireNonNull(listener, "listener");
        UUID id = UUID.randomUUID();
        byId.put(id, listener);
        return id;
    }

    boolean remove(UUID id) {
        return byId.remove(id) != null;
    }

    /** Notifies all listeners of all findings. Logs only the first exception of each listener per call. */
    void tell(List<PossibleDuplicates> findings) {
        for (Consumer<PossibleDuplicates> listener : byId.values()) {
            Throwable failure = null;
            for (PossibleDuplicates finding : findings) {
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
