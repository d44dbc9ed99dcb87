// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.List;

/** Tells a member's listeners what may have been issued twice. */
final class PossibleDuplicatesOperation extends SnowcastOperation implements AllowedDuringPassiveState {
    private List<PossibleDuplicates> found = List.of();

    PossibleDuplicatesOperation() {}

    PossibleDuplicatesOperation(List<PossibleDuplicates> found) {
        this.found = found;
    }

    @Override
    public void run() {
        SnowcastService service = getService();
        service.tell(found);
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.POSSIBLE_DUPLICATES;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        Wire.writeList(out, found, Wire::writePossibleDuplicates);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        found = Wire.readList(in, Wire::readPossibleDuplicates);
    }
}
