// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

/**
 * The version of the form in which members and clients write what they send; each message begins with it, a byte. A
 * member reads every version from {@link #OLDEST} to {@link #NEWEST}, and writes to its cluster the newest that all
 * members read.
 */
public final class WireVersion {
    /** The oldest version that is read, and the only one in which members ask each other for their versions. */
    public static final int OLDEST = 1;

    public static final int NEWEST = 1;

    private WireVersion() {}

    static int require(int version) {
        if (version < OLDEST || version > NEWEST) {
            throw new IllegalArgumentException("this version of snowcast reads the versions " + OLDEST + " to " + NEWEST
                    + " of its wire format, not " + version);
        }
        return version;
    }
}
