// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import org.jspecify.annotations.Nullable;

/**
 * What an owner decided for a request: the answer, and the change that replicas acknowledge before it is given.
 *
 * @param change null if there is nothing to send
 * @param isForAll whether replicas beyond the backups get the change, too: what every replica has to know
 * @param <A> the answer
 * @param <S> a snapshot of what was changed
 */
public record Decision<A, S>(A answer, @Nullable S change, boolean isForAll) {
    /** Answers without a change. */
    public static <A, S> Decision<A, S> unchanged(A answer) {
        return new Decision<>(answer, null, false);
    }

    /** Answers after the backups have acknowledged the change. */
    public static <A, S> Decision<A, S> forBackups(A answer, S change) {
        return new Decision<>(answer, change, false);
    }

    /** Answers after all replicas that are alive have acknowledged the change. */
    public static <A, S> Decision<A, S> forAll(A answer, S change) {
        return new Decision<>(answer, change, true);
    }
}
