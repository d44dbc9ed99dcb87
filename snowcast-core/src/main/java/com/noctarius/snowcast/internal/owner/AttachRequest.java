// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.UUID;

/**
 * A holder's request for a grant of a node ID. The table creates the sequencer if it does not exist.
 *
 * @param definition the holder's definition; if the sequencer exists, its definition must be equal
 * @param incarnation the incarnation to which the holder belongs, or 0 if the holder does not know it yet
 * @param holder the ID of the holder, which is a sequencer or node lease object. Its second half is random and secret,
 *     and authenticates the holder
 * @param requestNumber counts the attach requests of the holder. A retry has the same number, by which the table
 *     recognizes the retry
 * @param holderNowMillis the time of the request by the holder's wall clock, or by its steady clock if a request with
 *     the wall clock's time was refused; in milliseconds since 1970
 * @param leaseMillis the requested lease, or 0 for {@link TableRules#leaseMillis}
 * @param lastIdTime the highest timestamp that the holder may have used so far, in ID time; 0 or -1 if none
 */
public record AttachRequest(
        String name,
        Definition definition,
        long incarnation,
        UUID holder,
        long requestNumber,
        long holderNowMillis,
        long leaseMillis,
        long lastIdTime) {}
