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
import org.jspecify.annotations.Nullable;

/**
 * A partition operation that does nothing, with a number of backups. Its messages have a {@link Cargo} as their
 * content.
 */
class NoOp extends Operation implements PartitionAwareOperation, BackupAwareOperation, IdentifiedDataSerializable {
    static final int FACTORY_ID = 7_001;
    /** A service without data. For a service with data, Hazelcast asserts that operations have a namespace. */
    static final String SERVICE = "hz:impl:executorService";

    private int backups;
    private Cargo cargo = Cargo.NOTHING;

    NoOp() {}

    NoOp(int backups, Cargo cargo) {
        this.backups = backups;
        this.cargo = cargo;
    }

    Cargo.Message<?> message() {
        return Cargo.Message.REQUEST;
    }

    static final class Factory implements DataSerializableFactory {
        @Override
        public IdentifiedDataSerializable create(int classId) {
            return switch (classId) {
                case 0 -> new NoOp();
                case 1 -> new Backup();
                default -> new Answer();
            };
        }
    }

    static final class Backup extends NoOp implements BackupOperation {
        Backup() {}

        Backup(Cargo cargo) {
            super(0, cargo);
        }

        @Override
        Cargo.Message<?> message() {
            return Cargo.Message.BACKUP;
        }

        @Override
        public boolean shouldBackup() {
            return false;
        }

        @Override
        public int getClassId() {
            return 1;
        }
    }

    /** The answer to a no-op whose messages have a content. */
    static final class Answer implements IdentifiedDataSerializable {
        private Cargo cargo = Cargo.NOTHING;

        Answer() {}

        Answer(Cargo cargo) {
            this.cargo = cargo;
        }

        @Override
        public int getFactoryId() {
            return FACTORY_ID;
        }

        @Override
        public int getClassId() {
            return 2;
        }

        @Override
        public void writeData(ObjectDataOutput out) throws IOException {
            cargo.write(out, Cargo.Message.ANSWER);
        }

        @Override
        public void readData(ObjectDataInput in) throws IOException {
            cargo = Cargo.read(in, Cargo.Message.ANSWER);
        }
    }

    @Override
    public void run() {}

    @Override
    public @Nullable Object getResponse() {
        return cargo == Cargo.NOTHING ? null : new Answer(cargo);
    }

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
        return new Backup(cargo);
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
        cargo.write(out, message());
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        backups = in.readInt();
        cargo = Cargo.read(in, message());
    }
}
