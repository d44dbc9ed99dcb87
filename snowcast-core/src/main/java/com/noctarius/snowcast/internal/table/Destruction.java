// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import com.noctarius.snowcast.SnowcastLayout;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What was destroyed.
 *
 * @param incarnation the life that ended
 * @param layout its layout
 * @param floor the table's floor: timestamps below it may have been used by holders the table forgot
 * @param nodes its node IDs
 */
public record Destruction(long incarnation, SnowcastLayout layout, long floor, List<DestroyedNode> nodes) {
    /** Copies the list. */
    public Destruction {
        nodes = List.copyOf(nodes);
    }

    /**
     * Returns the highest raw ID that may have been issued.
     *
     * @param lastMillisByHolder the highest timestamps that sealed holders reported; the others are taken to have used
     *     all that they were granted
     */
    public long highestId(Map<UUID, Long> lastMillisByHolder) {
        long lastMillis = Math.max(floor - 1, 0);
        for (DestroyedNode node : nodes) {
            Long reported = lastMillisByHolder.get(node.holder());
            long used = reported == null ? node.lastMillis() : Math.max(node.floor() - 1, reported);
            lastMillis = Math.max(lastMillis, Math.min(used, node.lastMillis()));
        }
        return layout.compose(lastMillis, layout.logicalNodeCount() - 1, layout.idsPerMillisecond() - 1);
    }
}
