// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

/**
 * The version of the wire format between members, and between members and clients. It is the first byte of snowcast's
 * part of each message. Members and clients reject messages of other versions.
 */
public final class WireVersion {
    public static final int CURRENT = 1;

    private WireVersion() {}

    static void require(int version) {
        if (version != CURRENT) {
            throw new IllegalArgumentException(
                    "this version of snowcast reads version " + CURRENT + " of its wire format, not " + version);
        }
    }
}
