// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

/**
 * The version of the form in which members and clients write what they send; each message begins with it, a byte. There
 * is one version. A member that has a second one can ask in it: those that read the first one only refuse it.
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
