// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import org.jspecify.annotations.Nullable;

/** Tells a member of an event, which it passes on to its clients. */
final class EventOperation extends SnowcastOperation<ClusterEvent> implements AllowedDuringPassiveState {
    EventOperation(@Nullable ClusterEvent event) {
        super(ClassIds.EVENT, ClusterEvent.FORM, event);
    }

    @Override
    public void run() {
        services().happened(content());
    }
}
