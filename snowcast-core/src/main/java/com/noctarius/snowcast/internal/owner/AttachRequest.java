// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.UUID;

/**
 * Asks for a grant, and for the sequencer to be created if there is none.
 *
 * @param definition what the holder believes it to be
 * @param incarnation the incarnation the holder belongs to, or 0 if it is yet to learn it
 * @param holder an identity of the sequencer object; its second half is its proof
 * @param requestNumber counts the attach requests of the holder; the same number gets the same answer
 * @param holderNowMillis from when on the holder issues IDs, by its clocks: milliseconds since 1970
 * @param leaseMillis the lease it asks for, or 0 for the cluster's
 * @param lastMillis the highest timestamp that the holder may have used so far, in ID time, or -1
 */
public record AttachRequest(
        String name,
        Definition definition,
        long incarnation,
        UUID holder,
        long requestNumber,
        long holderNowMillis,
        long leaseMillis,
        long lastMillis) {}
