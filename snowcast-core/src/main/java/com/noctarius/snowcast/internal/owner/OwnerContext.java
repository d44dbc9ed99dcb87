// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;
import java.util.UUID;

/**
 * The owner of a partition while it decides one request.
 *
 * @param member the member that answers
 * @param backups the members that have to acknowledge the change before the request is answered
 * @param nowMillis cluster time
 * @param latestIncarnation the highest incarnation that a holder can know: incarnations begin by cluster time
 */
public record OwnerContext(UUID member, List<UUID> backups, long nowMillis, long latestIncarnation) {
    public OwnerContext {
        backups = List.copyOf(backups);
    }
}
