// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a table decided for a request: the answer, and what changed in the table. In a cluster replicas acknowledge the
 * change before the answer is given.
 *
 * @param answered null if there is no answer yet: the same request may get one soon
 * @param changed the node IDs that may have changed, and with them the header; null if nothing has
 * @param isForAll whether the change is about the name: replicas that are sent no node IDs have to know it, too
 * @param whyNotYet empty if there is an answer
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
