// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.Names;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The sequencers and node leases of one instance, by name. Releases grants on other threads, so no method blocks.
 * Thread-safe.
 */
final class OpenHolders {
    final Names<GrantHolder> names = new Names<>(this::forgotten);
    /**
     * The node leases among {@link #names}, and destroyed node leases whose listeners have not been called yet. A
     * separate set, so that finding the leases does not visit every sequencer.
     */
    final Set<LeasedNode> nodeLeases = ConcurrentHashMap.newKeySet();

    private final Executor attaches;
    private final Log log;
    /** Receives each removed or replaced holder. */
    private final Consumer<GrantHolder> listener;

    OpenHolders(Executor attaches, Log log, Consumer<GrantHolder> listener) {
        this.attaches = attaches;
        this.log = log;
        this.listener = listener;
    }

    /** Returns the sequencers, including those whose creation has not ended yet. */
    List<Sequencer> sequencers() {
        return names.all().stream()
                .flatMap(each -> each instanceof Sequencer sequencer ? Stream.of(sequencer) : Stream.empty())
                .toList();
    }

    private void forgotten(GrantHolder removed) {
        // If the creation failed after the grant had arrived, release the grant, so that its lease is not renewed
        // forever.
        DetachRequest release = removed.close("its creation failed");
        if (release != null) {
            releaseSoon(removed, release);
        }
        listener.accept(removed);
        // The keeper removes a destroyed lease, when it has told the listeners of the loss.
        if (removed instanceof LeasedNode lease && lease.state().state != SnowcastSequenceState.Destroyed) {
            nodeLeases.remove(lease);
        }
    }

    /**
     * Makes the holder of a name Destroyed if its present or last grant is of the given incarnation or an earlier one,
     * and releases the present grant. Until the release has arrived, the IDs of a new sequencer of the name can begin
     * only after the end of that grant.
     */
    void destroyUpTo(String name, long incarnation) {
        GrantHolder holder = names.find(name);
        if (holder != null) {
            destroyUpTo(holder, incarnation);
        }
    }

    void destroyUpTo(GrantHolder holder, long incarnation) {
        DetachRequest release = holder.destroyUpTo(incarnation);
        if (release != null) {
            releaseSoon(holder, release);
        }
        if (holder.state().state == SnowcastSequenceState.Destroyed) {
            names.forget(holder.requests.name, holder);
        }
    }

    /** Removes destroyed holders that could not be removed before, because a creation had locked their names. */
    void forgetDestroyed() {
        names.all().stream()
                .filter(each -> each.state().state == SnowcastSequenceState.Destroyed)
                .forEach(each -> names.forget(each.requests.name, each));
    }

    void releaseSoon(GrantHolder holder, DetachRequest request) {
        try {
            attaches.execute(() -> holder.release(request));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // The instance shuts down, or there is no thread. The lease expires anyway.
            log.warning(holder.requests.subjectInLog + ": its node ID is free when its lease has ended", e);
        }
    }
}
