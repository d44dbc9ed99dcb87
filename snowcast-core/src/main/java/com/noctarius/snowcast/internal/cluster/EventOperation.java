// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import org.jspecify.annotations.Nullable;

/** Sends an event to a member, which passes it to its own {@code Snowcast} and to its clients. */
final class EventOperation extends SnowcastOperation<ClusterEvent> implements AllowedDuringPassiveState {
    EventOperation(@Nullable ClusterEvent event) {
        super(ClassIds.EVENT, ClusterEvent.FORM, event);
    }

    @Override
    public void run() {
        services().happened(content());
    }
}
