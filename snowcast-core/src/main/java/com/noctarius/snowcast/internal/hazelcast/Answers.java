// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.clock.SystemClock;
import com.noctarius.snowcast.store.BlockStoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits for answers of the cluster, and says why there is none in the same words on members and clients. */
public final class Answers {
    private static final String NO_DATA_MEMBER = "NoDataMemberInClusterException";
    private static final String WAY_OUT = "; check that its members run and can be reached from here, then try again";

    private Answers() {}

    /**
     * Makes a call and waits for its answer. One whose outcome is not known, because an owner or a backup left, is made
     * again: it is the same request, and gets the same answer.
     */
    public static <T> T outcome(String subject, long timeoutMillis, Supplier<CompletableFuture<T>> call) {
        long deadlineNanos = SystemClock.INSTANCE.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (true) {
            try {
                return await(call.get(), deadlineNanos);
            } catch (IndeterminateOperationStateException e) {
                if (deadlineNanos - SystemClock.INSTANCE.nanos() <= 0) {
                    throw new SnowcastUnavailableException(
                            subject + ": no outcome within " + timeoutMillis
                                    + " ms; do all data members have snowcast on their class path?",
                            e);
                }
            } catch (TimeoutException e) {
                throw new SnowcastUnavailableException(
                        subject + ": no answer from the cluster within " + timeoutMillis + " ms" + WAY_OUT, e);
            } catch (HazelcastSerializationException | UnsupportedOperationException e) {
                throw new SnowcastException(
                        subject + ": a data member of the cluster cannot read the request; all of them need"
                                + " the same version of snowcast on their class path: " + e.getMessage(),
                        e);
            } catch (SplitBrainProtectionException e) {
                throw new SnowcastUnavailableException(subject + ": " + e.getMessage(), e);
            } catch (HazelcastInstanceNotActiveException e) {
                throw new SnowcastStateException(subject + ": the HazelcastInstance was shut down", e);
            } catch (SnowcastException | BlockStoreException | IllegalArgumentException e) {
                throw e; // What the owner of the partition has decided.
            } catch (RuntimeException e) {
                // Without the request as Hazelcast writes it, in a thousand characters; the cause has it.
                String brief = e.toString().replaceAll("(?s)[\\w.$]*(Invocation|Operation)\\{.*", "...");
                String failed = e.getClass().getSimpleName().equals(NO_DATA_MEMBER)
                        ? subject + ": the cluster has lite members only, and needs a data member"
                        : subject + ": no answer from the cluster" + WAY_OUT + ": " + brief;
                throw mayPass(e) ? new SnowcastUnavailableException(failed, e) : new SnowcastException(failed, e);
            }
        }
    }

    /** Hazelcast has a subclass for each state of a cluster that is no error: a member that leaves, no data member yet. */
    private static boolean mayPass(RuntimeException failure) {
        return failure instanceof HazelcastException && failure.getClass() != HazelcastException.class;
    }

    /** Waits for the answers of several calls; fails, after the last, if one failed or did not come in time. */
    public static void awaitAll(long timeoutMillis, List<CompletableFuture<?>> answers) {
        CompletableFuture<?> all = CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new));
        try {
            await(all, SystemClock.INSTANCE.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
        } catch (TimeoutException e) {
            throw new SnowcastException("no answer from the cluster within " + timeoutMillis + " ms", e);
        }
    }

    /** Waits for a reply, and not shorter when the thread is interrupted: the cluster may already have acted on it. */
    private static <T> T await(CompletableFuture<T> future, long deadlineNanos) throws TimeoutException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(deadlineNanos - SystemClock.INSTANCE.nanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof RuntimeException cause ? cause : new HazelcastException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
