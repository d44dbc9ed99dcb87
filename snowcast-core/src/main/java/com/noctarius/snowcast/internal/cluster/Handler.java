// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

/**
 * What the owner of a partition does for one kind of request, and under which conditions. Handling is idempotent: a request
 * that comes again gets the same answer and the same backups.
 *
 * @param <Q> the request
 * @param <A> the answer
 */
interface Handler<Q, A> {
    /** Carries out a request, and notes each change. */
    A handle(Q request, Changes changes, PartitionOwner owner);

    /** How many live backups must hear of it. */
    int requiredBackups(Q request, PartitionContainer container);

    /** Whether replicas beyond these backups hear of it, too: so that every replica knows every definition. */
    default boolean isForAllReplicas(Q request) {
        return false;
    }

    /** Whether it has to wait until it is known what was granted before the cluster was started. */
    default boolean needsBeginning() {
        return true;
    }

    /** Whether the change may be lost: then it is made also while backups are missing. */
    default boolean mayBeLost() {
        return false;
    }

    /** Whether it neither hands anything out nor ends a life: then also a member does it that may have been removed. */
    default boolean grantsNothing() {
        return false;
    }
}
