// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.store.Block;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * The calls of one process that wait for integers in the order of the cluster. Calls that come while a request is under way
 * wait for the next one, since the cluster may have answered the present one before they began. An answer serves those that
 * it was asked for, in the order of their coming, and nobody else: what a call that has left does not take is a gap.
 *
 * <p>Thread-safe; but there is one request at a time.
 */
final class CallLine {
    private final Queue<Caller> waiting = new ConcurrentLinkedQueue<>();
    /** Whom the request under way is for; when it is over, those whom it did not serve: the first of the next one. */
    private final Queue<Caller> asked = new ConcurrentLinkedQueue<>();

    /** A call that waits. It gets as many integers as it wants, or some of them, or ends before. */
    static final class Caller extends CompletableFuture<Block> {
        private final long wanted;

        Caller(long wanted) {
            this.wanted = wanted;
        }
    }

    Caller join(long wanted) {
        Caller caller = new Caller(wanted);
        waiting.add(caller);
        return caller;
    }

    /** Whether nobody waits, while no request is under way. */
    boolean isEmpty() {
        return Stream.concat(asked.stream(), waiting.stream()).allMatch(CompletableFuture::isDone);
    }

    /** Called before a request is sent, which is for all that wait by now. Returns how many integers they want. */
    long ask() {
        for (Caller caller = waiting.poll(); caller != null; caller = waiting.poll()) {
            asked.add(caller);
        }
        asked.removeIf(CompletableFuture::isDone);
        return asked.stream().mapToLong(caller -> caller.wanted).sum();
    }

    /** Serves those that the request was for, as far as it goes. Returns how many integers they have taken. */
    long answer(Block block) {
        long taken = 0;
        long position = 0;
        for (Caller caller = asked.poll(); caller != null; caller = position < block.count() ? asked.poll() : null) {
            Block part = block.part(position, Math.min(position + caller.wanted, block.count()));
            position += part.count();
            taken += caller.complete(part) ? part.count() : 0;
        }
        return taken;
    }

    /** Ends all calls. */
    void fail(RuntimeException why) {
        Stream.of(asked, waiting).forEach(calls -> {
            for (Caller caller = calls.poll(); caller != null; caller = calls.poll()) {
                caller.completeExceptionally(why);
            }
        });
    }
}
