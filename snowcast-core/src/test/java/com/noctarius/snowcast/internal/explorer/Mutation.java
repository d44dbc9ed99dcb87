// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

/** A rule of the protocol that the explorer can leave out, to show what goes wrong without it. */
enum Mutation {
    NONE,
    /** A holder issues IDs from before its grant begins. */
    FLOOR_IGNORED,
    /** Any holder can renew a node ID that is granted. */
    TOKEN_NOT_CHECKED,
    /** A token from before a loss counts as the present one. */
    EPOCH_NOT_CHECKED,
    /** A holder that releases its node ID, or is refused its renewal, continues to issue IDs. */
    SEAL_SKIPPED,
    /** The reply leaves before the backup has the change. */
    ANSWER_BEFORE_BACKUP,
    /** The owner answers a repeated request without checking the backup. */
    KNOWN_REQUEST_NOT_BACKED_UP,
    /**
     * After a loss the table takes over a grant although its ceiling has passed, so that it may have had a successor.
     */
    FREE_ADOPTION,
    /** After a loss the new table grants at once. */
    LOSS_NOT_NOTICED,
    /** A renewal revives a released node ID. */
    LATE_RENEW_AFTER_DETACH,
    /** A holder that requests a new grant counts as having used nothing of its former grant. */
    FORMER_USE_FORGOTTEN,
    /** An owner that was paused when it was removed acts when it wakes up. */
    FORMER_OWNER_ACTS,
    /** It continues with its data when no other member is left. */
    FORMER_OWNER_KEEPS_DATA,
    /** The table forgets a free node ID, and with it the floor of the next grant. */
    FLOORS_DROPPED,
    /** A copy accepts a change although it has a newer one. */
    COPY_REPLACED,
    /** A promoted owner numbers its changes from the last one that it knows, like the last owner. */
    CHANGES_NOT_ABOVE,
    /** The winning side of a split ignores the other side. */
    MERGE_SKIPPED,
    /** After a merge a holder may renew its grant into a grant of the other side. */
    MERGED_TOKEN_KEPT,
    /** After a merge the next grant begins where the grants of the winning side end. */
    MERGED_FLOOR_FORGOTTEN,
}
