// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.ClusterEvent;

/** Tells a member of an event, which it passes on to its clients. */
final class EventOperation extends SnowcastOperation<ClusterEvent> implements AllowedDuringPassiveState {
    EventOperation() {
        super(ClassIds.EVENT, ClusterEvent.FORM);
    }

    EventOperation(int wireVersion, ClusterEvent event) {
        super(ClassIds.EVENT, ClusterEvent.FORM, wireVersion, event);
    }

    @Override
    public void run() {
        owner().happened(content());
    }
}
