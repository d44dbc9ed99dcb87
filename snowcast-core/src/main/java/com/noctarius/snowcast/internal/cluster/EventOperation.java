// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells a member of an event, which it passes on to its clients. */
final class EventOperation extends SnowcastOperation implements AllowedDuringPassiveState {
    private @Nullable ClusterEvent event;

    EventOperation() {}

    EventOperation(int wireVersion, ClusterEvent event) {
        super(wireVersion);
        this.event = event;
    }

    private ClusterEvent event() {
        return Objects.requireNonNull(event);
    }

    @Override
    public void run() {
        owner().happened(event());
    }

    @Override
    public int getClassId() {
        return ClassIds.EVENT;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        ClusterEvent.FORM.write(out, event());
    }

    @Override
    void read(WireInput in) throws IOException {
        event = in.value(ClusterEvent.FORM);
    }
}
