// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.UUID;

/**
 * Requests a grant of a node ID, and the creation of the sequencer if it does not exist.
 *
 * @param definition the definition that the holder expects
 * @param incarnation the incarnation the holder belongs to, or 0 if it does not know it yet
 * @param holder the identity of the sequencer object; its second half proves it
 * @param requestNumber counts the attach requests of the holder; the same number gets the same answer
 * @param holderNowMillis the time from which the holder issues IDs, by its clocks, in milliseconds since 1970
 * @param leaseMillis the requested lease, or 0 for the cluster's
 * @param lastMillis the highest timestamp that the holder may have used so far, in ID time; 0 if none
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
