// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a table about a request: the answer, and the change of the table. In a cluster, the caller gets the
 * answer only after replicas have acknowledged the change.
 *
 * @param answered the answer; null if the sender has to retry, because there is no answer yet
 * @param changed the node IDs whose entries may have changed; the header may have changed as well. Null if the replicas
 *     need no change
 * @param isForAll whether replicas beyond the backup count, which receive only the header, must receive the change, too
 * @param whyNotYet why there is no answer yet; empty if there is one
 * @param <A> the answer
 */
public record Decision<A>(@Nullable A answered, @Nullable Set<Integer> changed, boolean isForAll, String whyNotYet) {
    Decision(A answer, @Nullable Set<Integer> changed, boolean isForAll) {
        this(answer, changed, isForAll, "");
    }

    /** Returns a decision without an answer: the sender has to retry. */
    static <A> Decision<A> notYet(String why) {
        return new Decision<>(null, null, false, why);
    }

    /** Returns an answer that did not change the table. */
    static <A> Decision<A> unchanged(A answer) {
        return new Decision<>(answer, null, false);
    }

    /** Returns an answer whose change only the replicas within the backup count need. */
    static <A> Decision<A> forBackups(A answer, Set<Integer> changed) {
        return new Decision<>(answer, changed, false);
    }

    /** Returns an answer whose change every replica needs. */
    static <A> Decision<A> forAllReplicas(A answer, Set<Integer> changed) {
        return new Decision<>(answer, changed, true);
    }

    public A answer() {
        return Objects.requireNonNull(answered);
    }
}
