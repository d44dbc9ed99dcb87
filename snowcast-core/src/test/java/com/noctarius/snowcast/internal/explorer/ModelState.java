// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

/** The rare states of a {@link Model} around the table, each with the rule's effect. */
enum ModelState {
    /** The owner crashes before the backup receives a change: the change is lost, and its answer never arrives. */
    CHANGE_LOST_WITH_OWNER,
    /** The next owner has not received a change that another backup has: its own changes have higher numbers. */
    OWNER_BEHIND_BACKUP,
    /** A former owner wakes up when all others are gone: it continues without its data. */
    FORMER_OWNER_GOES_ON,
    /** The former owner's side has no quorum and requests something: it gets no answer. */
    FORMER_SIDE_STOPPED,
    /** The new owner does not renew a grant that the former one may have given to another holder. */
    RENEWAL_OUT_OF_THE_WAY,
    /** The new owner grants only above everything that the former one may have granted. */
    FLOOR_OUT_OF_THE_WAY
}
