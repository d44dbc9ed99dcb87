// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.List;

/** Tells a member's listeners what may have been issued twice. */
final class PossibleDuplicatesOperation extends Operation
        implements IdentifiedDataSerializable, AllowedDuringPassiveState {
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
    public String getServiceName() {
        return SnowcastService.NAME;
    }

    @Override
    public int getFactoryId() {
        return SnowcastDataSerializerHook.FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.POSSIBLE_DUPLICATES;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        Wire.writeVersion(out);
        Wire.writeList(out, found, Wire::writePossibleDuplicates);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        Wire.readVersion(in);
        found = Wire.readList(in, Wire::readPossibleDuplicates);
    }
}
