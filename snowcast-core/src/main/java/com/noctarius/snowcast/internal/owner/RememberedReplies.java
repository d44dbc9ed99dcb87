// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The last replies of a pool. A repeated request gets its reply again; if that is forgotten, it leaves a gap. */
final class RememberedReplies implements Entries<RememberedReply> {
    static final int MAX_COUNT = 100;

    /** In the order in which they were given. */
    private final Map<UUID, RememberedReply> byHolder = new LinkedHashMap<>();

    @Nullable
    RememberedReply to(UUID holder) {
        return byHolder.get(holder);
    }

    @Override
    public @Nullable RememberedReply present(RememberedReply other) {
        return to(other.holder());
    }

    @Override
    public void put(RememberedReply reply) {
        byHolder.remove(reply.holder());
        byHolder.put(reply.holder(), reply);
        if (byHolder.size() > MAX_COUNT) {
            byHolder.remove(byHolder.keySet().iterator().next());
        }
    }

    @Override
    public List<RememberedReply> values() {
        return List.copyOf(byHolder.values());
    }

    @Override
    public int size() {
        return byHolder.size();
    }

    @Override
    public void clear() {
        byHolder.clear();
    }

    /** All that was handed out is below one number. And what another owner gave may be others' by now. */
    @Override
    public boolean areEssential() {
        return false;
    }
}
