// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/** What the table answers to the end of an incarnation. */
public enum DestroyReply {
    /** The incarnation is destroyed, now or before. */
    DESTROYED,
    /** There is no such incarnation. */
    UNKNOWN,
    /** The table lost its data, and a holder may still bring the incarnation back. The same request may succeed later. */
    NOT_KNOWN_YET
}
