// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import java.io.IOException;

/** A partition operation that does nothing, with a number of backups. */
class NoOp extends Operation implements PartitionAwareOperation, BackupAwareOperation, IdentifiedDataSerializable {
    static final int FACTORY_ID = 7_001;
    /** A service without data. For a service with data, Hazelcast asserts that operations have a namespace. */
    static final String SERVICE = "hz:impl:executorService";

    private int backups;

    NoOp() {}

    NoOp(int backups) {
        this.backups = backups;
    }

    static final class Factory implements DataSerializableFactory {
        @Override
        public IdentifiedDataSerializable create(int classId) {
            return classId == 0 ? new NoOp() : new Backup();
        }
    }

    static final class Backup extends NoOp implements BackupOperation {
        @Override
        public boolean shouldBackup() {
            return false;
        }

        @Override
        public int getClassId() {
            return 1;
        }
    }

    @Override
    public void run() {}

    @Override
    public boolean shouldBackup() {
        return backups > 0;
    }

    @Override
    public int getSyncBackupCount() {
        return backups;
    }

    @Override
    public int getAsyncBackupCount() {
        return 0;
    }

    @Override
    public Operation getBackupOperation() {
        return new Backup();
    }

    @Override
    public String getServiceName() {
        return SERVICE;
    }

    @Override
    public int getFactoryId() {
        return FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return 0;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        out.writeInt(backups);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        backups = in.readInt();
    }
}
