// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

/** The rare states of a {@link Model} around the table, each with what the rule does. */
enum ModelState {
    /** The owner crashes before the backup hears of a change: the change is gone, and its answer never arrives. */
    CHANGE_LOST_WITH_OWNER,
    /** The next owner has not heard of a change that another backup has: its own changes count above that one. */
    OWNER_BEHIND_BACKUP,
    /** A former owner wakes up when all others are gone: it goes on without its data. */
    FORMER_OWNER_GOES_ON,
    /** The former owner's side has no quorum and asks for what it cannot have: no answer. */
    FORMER_SIDE_STOPPED,
    /** The new owner leaves alone a grant that the former one may have given to another holder: no extension. */
    EXTENSION_OUT_OF_THE_WAY,
    /** The new owner grants only above what the former one may have granted. */
    FLOOR_OUT_OF_THE_WAY
}
