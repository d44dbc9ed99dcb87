// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a table about a request: the answer, and the change of the table. In a cluster, replicas acknowledge
 * the change before the owner sends the answer.
 *
 * @param answered null if there is no answer yet: a retry of the request may get one soon
 * @param changed the node IDs that may have changed, together with the header; null if nothing has
 * @param isForAll whether the change is about the name: replicas that do not get node IDs must get it, too
 * @param whyNotYet why there is no answer yet; empty if there is one
 * @param <A> the answer
 */
public record Decision<A>(@Nullable A answered, @Nullable Set<Integer> changed, boolean isForAll, String whyNotYet) {
    Decision(A answer, @Nullable Set<Integer> changed, boolean isForAll) {
        this(answer, changed, isForAll, "");
    }

    /** Leaves the request without an answer for now. */
    static <A> Decision<A> notYet(String why) {
        return new Decision<>(null, null, false, why);
    }

    /** Answers without a change. */
    static <A> Decision<A> unchanged(A answer) {
        return new Decision<>(answer, null, false);
    }

    /** Answers after a change of node IDs. */
    static <A> Decision<A> ofNodes(A answer, Set<Integer> changed) {
        return new Decision<>(answer, changed, false);
    }

    /** Answers after a change of the name, and of node IDs. */
    static <A> Decision<A> ofName(A answer, Set<Integer> changed) {
        return new Decision<>(answer, changed, true);
    }

    public A answer() {
        return Objects.requireNonNull(answered);
    }
}
