// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reasons why shards did not serve a call. Not thread-safe. */
final class ShardFailures {
    private final String what;
    private final List<String> reasons = new ArrayList<>();
    private final List<SQLException> causes = new ArrayList<>();
    private @Nullable ShardMismatchException mismatch;
    private boolean hasAnswer;
    private int exhausted;
    private String exhaustion = "";

    ShardFailures(String what) {
        this.what = what;
    }

    void add(Shard shard, String reason, @Nullable SQLException cause) {
        reasons.add(shard + ": " + reason);
        if (cause != null) {
            causes.add(cause);
        }
    }

    void add(Shard shard, Windows.Outcome outcome) {
        add(shard, outcome.reason(), null);
        hasAnswer = true;
        if (outcome.isExhausted()) {
            exhausted++;
            exhaustion = outcome.reason();
        }
    }

    /**
     * Returns whether an agent may help: it can insert windows if a shard answers, or recover a rejected shard. Returns
     * false if every shard has reserved its last integer.
     */
    boolean mayPassWithWindows() {
        return (hasAnswer || mismatch != null) && exhausted < reasons.size();
    }

    /** Returns whether a shard was rejected. */
    boolean hasMismatch() {
        return mismatch != null;
    }

    void add(ShardMismatchException e) {
        reasons.add(String.valueOf(e.getMessage()));
        mismatch = e;
    }

    boolean isEmpty() {
        return reasons.isEmpty();
    }

    BlockStoreException toException(JdbcBlockStore store) {
        if (exhausted > 0 && exhausted == reasons.size()) {
            return new BlockStoreExhaustedException(what + ": " + exhaustion + " in " + store);
        }
        if (mismatch != null) {
            return mismatch;
        }
        BlockStoreException exception = new BlockStoreException(
                what + " in " + store + ": " + String.join("; ", reasons), causes.isEmpty() ? null : causes.get(0));
        causes.stream().skip(1).forEach(exception::addSuppressed);
        return exception;
    }
}
