// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an owner decided for a request: the answer, and the change that replicas acknowledge before it is given.
 *
 * @param answered null if there is no answer yet: the same request may get one soon
 * @param change null if there is nothing to send
 * @param isForAll whether replicas beyond the backups get the change, too: what every replica has to know
 * @param whyNotYet empty if there is an answer
 * @param <A> the answer
 */
public record Decision<A>(@Nullable A answered, @Nullable Snapshot change, boolean isForAll, String whyNotYet) {
    Decision(A answer, @Nullable Snapshot change, boolean isForAll) {
        this(answer, change, isForAll, "");
    }

    /** Leaves the request without an answer for now. */
    static <A> Decision<A> notYet(String why) {
        return new Decision<>(null, null, false, why);
    }

    /** Answers without a change. */
    static <A> Decision<A> unchanged(A answer) {
        return new Decision<>(answer, null, false);
    }

    /** Answers after the backups have acknowledged the change. */
    static <A> Decision<A> forBackups(A answer, Snapshot change) {
        return new Decision<>(answer, change, false);
    }

    /** Answers after all replicas that are alive have acknowledged the change. */
    static <A> Decision<A> forAll(A answer, Snapshot change) {
        return new Decision<>(answer, change, true);
    }

    public A answer() {
        return Objects.requireNonNull(answered);
    }
}
