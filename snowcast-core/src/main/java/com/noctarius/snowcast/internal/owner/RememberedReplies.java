// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The last replies of a pool. A repeated request gets its reply again; if that is forgotten, it leaves a gap. */
final class RememberedReplies {
    static final int MAX_COUNT = 100;

    /** In the order in which they were given. */
    private final Map<UUID, RememberedReply> byHolder = new LinkedHashMap<>();

    /** Replies up to this change are not given again. */
    long forgottenUpTo;

    @Nullable
    RememberedReply to(UUID holder) {
        return byHolder.get(holder);
    }

    List<RememberedReply> all() {
        return List.copyOf(byHolder.values());
    }

    void add(RememberedReply reply) {
        byHolder.remove(reply.holder());
        byHolder.put(reply.holder(), reply);
        if (byHolder.size() > MAX_COUNT) {
            byHolder.remove(byHolder.keySet().iterator().next());
        }
    }

    /** Forgets all that were given up to a change, here and at the next owners. */
    void forgetUpTo(long change) {
        forgottenUpTo = change;
        byHolder.values().removeIf(reply -> reply.version() <= change);
    }
}
