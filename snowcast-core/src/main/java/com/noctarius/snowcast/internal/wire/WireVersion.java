// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

/**
 * The version of the wire format of members and clients; each message begins with it, as a byte. There is one version.
 * A member with a second version can send a request in it: members that only read the first one reject it.
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
