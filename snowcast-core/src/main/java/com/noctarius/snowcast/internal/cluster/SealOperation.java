// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.Destroyed;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes a member's instance of a destroyed sequencer Destroyed, which gives its grant back by itself; closes that of
 * an integer sequence. */
final class SealOperation extends SnowcastOperation implements AllowedDuringPassiveState {
    private @Nullable Destroyed destroyed;

    SealOperation() {}

    SealOperation(Destroyed destroyed) {
        this.destroyed = destroyed;
    }

    private Destroyed destroyed() {
        return Objects.requireNonNull(destroyed);
    }

    @Override
    public void run() {
        SnowcastService service = getService();
        service.seal(destroyed());
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.SEAL;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        Wire.writeDestroyed(out, destroyed());
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        destroyed = Wire.readDestroyed(in);
    }
}
