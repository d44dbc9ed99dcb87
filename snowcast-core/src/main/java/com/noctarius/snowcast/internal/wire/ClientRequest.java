// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

/**
 * What clients ask of members, in messages of Hazelcast's client protocol that carry one byte array each, written by
 * {@link Wire}. The first byte of a type is ours among Hazelcast's services (0xE7), the second names the request; both
 * keep their meaning for ever.
 */
public enum ClientRequest {
    /** An attach request; the answer is a grant or null. */
    ATTACH(0xE70100),
    /** Detach requests of one partition; the answer is empty. */
    DETACH(0xE70200),
    /** The cluster the grants are from, and extend requests of one partition; the answer is their replies. */
    EXTEND(0xE70300),
    /** A name and an incarnation; the answer is empty. */
    DESTROY(0xE70400),
    /** Asks to be told of destructions and possible duplicates; the answer names the registration. */
    LISTEN(0xE70500),
    /** A reserve request; the answer is a reservation or null. */
    RESERVE(0xE70600),
    /** A give-back request; the answer is a version. */
    GIVE_BACK(0xE70700),
    /** The name of an integer sequence and an incarnation; the answer is empty. */
    DESTROY_COUNTER(0xE70800);

    private final int requestType;

    ClientRequest(int requestType) {
        this.requestType = requestType;
    }

    /** Returns the type of the request's message. */
    public int requestType() {
        return requestType;
    }

    /** Returns the type of the answer's message. */
    public int responseType() {
        return requestType + 1;
    }

    /** Returns the type of the messages that follow an answer. */
    public int eventType() {
        return requestType + 2;
    }
}
