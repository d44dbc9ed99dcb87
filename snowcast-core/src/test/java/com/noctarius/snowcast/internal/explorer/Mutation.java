// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

/** A rule of the protocol that the explorer can leave out. Each comment says what happens without the rule. */
enum Mutation {
    NONE,
    /** A holder issues IDs below the beginning of its grant. */
    FLOOR_IGNORED,
    /** Any holder can renew a granted node ID, with any token. */
    TOKEN_NOT_CHECKED,
    /** A token from before a loss of all replicas is accepted like a current one. */
    EPOCH_NOT_CHECKED,
    /** A holder that releases its node ID, or whose renewal is refused, continues to issue IDs. */
    SEAL_SKIPPED,
    /** The owner answers before the backup has received the change. */
    ANSWER_BEFORE_BACKUP,
    /** The owner answers a repeated request without sending the change to the backup again. */
    KNOWN_REQUEST_NOT_BACKED_UP,
    /**
     * After a loss, the table takes over a grant whose ceiling has passed, though its node ID may have been granted
     * again.
     */
    FREE_ADOPTION,
    /** After a loss, the new table grants without a wait. */
    LOSS_NOT_NOTICED,
    /** A renewal revives a released node ID. */
    LATE_RENEW_AFTER_DETACH,
    /** A holder that requests a new grant does not report what it has used of its former grant. */
    FORMER_USE_FORGOTTEN,
    /** An owner that was removed during a pause acts when it wakes up. */
    FORMER_OWNER_ACTS,
    /** A former owner that continues when all other members are gone keeps its data. */
    FORMER_OWNER_KEEPS_DATA,
    /** The table forgets a free node ID, and with it where the next grant must begin. */
    FLOORS_DROPPED,
    /** A copy accepts a change although it has a newer one. */
    COPY_REPLACED,
    /** A promoted owner continues with the change numbers of its copy, although another copy may have higher ones. */
    CHANGES_NOT_ABOVE,
    /** The winning side of a merge ignores the state of the losing side. */
    MERGE_SKIPPED,
    /** After a merge, tokens of the winning side remain valid for grants that the losing side has made. */
    MERGED_TOKEN_KEPT,
    /** After a merge, the next grant ignores where the grants of the losing side end. */
    MERGED_FLOOR_FORGOTTEN,
}
