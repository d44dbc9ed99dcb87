// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

/** A rule of the protocol that is left out, to see that the explorer finds what comes of it. */
enum Mutation {
    /** Nothing is left out. */
    NONE,
    /** A holder issues IDs from before its grant begins. */
    FLOOR_IGNORED,
    /** Whoever asks for an extension of a node ID that is granted gets it. */
    TOKEN_NOT_CHECKED,
    /** A token of before a loss counts as the present one. */
    EPOCH_NOT_CHECKED,
    /** A holder that gives its node ID back, or is refused its extension, goes on. */
    SEAL_SKIPPED,
    /** The reply leaves before the backup has the change. */
    ANSWER_BEFORE_BACKUP,
    /** A request that was seen before is answered without a look at the backup. */
    KNOWN_REQUEST_NOT_BACKED_UP,
    /** After a loss a grant is taken over although its ceiling has passed, so that it may have had a successor. */
    FREE_ADOPTION,
    /** After a loss nobody waits: the new table knows of nothing. */
    LOSS_NOT_NOTICED,
    /** An extension brings a node ID back that was given back. */
    LATE_EXTEND_AFTER_DETACH,
    /** A holder that asks anew is believed to have used nothing of the grant it had. */
    FORMER_USE_FORGOTTEN,
    /** An owner that stood still when it was removed acts when it wakes up. */
    FORMER_OWNER_ACTS,
    /** It goes on with the data that it had, when nobody else is left. */
    FORMER_OWNER_KEEPS_DATA,
    /** A node ID that is free is forgotten, and with it where its next grant may begin. */
    FLOORS_DROPPED,
    /** A copy takes what comes, though it knows something newer. */
    COPY_REPLACED,
    /** A promoted owner counts its changes on from the last one that it knows, as the last owner did. */
    CHANGES_NOT_ABOVE,
    /** The winning side of a split goes on as if there had been no other. */
    MERGE_SKIPPED,
    /** After a merge a holder may extend its grant into what the other side granted. */
    MERGED_TOKEN_KEPT,
    /** After a merge a node ID is granted from where the grants of the winning side end. */
    MERGED_FLOOR_FORGOTTEN,
}
