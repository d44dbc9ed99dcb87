// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.logging.ILogger;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import com.hazelcast.spi.impl.operationservice.NamedOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.wire.Call;
import com.noctarius.snowcast.internal.wire.WireInput;
import com.noctarius.snowcast.store.BlockStoreException;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to the owner of a partition: handled on the partition's thread, and backed up before it is answered.
 *
 * <p>The live backups are counted before anything is changed, and once more before the answer is given, since a replica may
 * have gone in between.
 */
final class RequestOperation extends SnowcastOperation
        implements PartitionAwareOperation, BackupAwareOperation, MutatingOperation, NamedOperation {
    /** The name of operations that no split-brain protection stops. */
    static final String UNPROTECTED = "";

    private @Nullable Content<?, ?> content;
    private @Nullable Changes changes;
    private int backupCount;
    private @Nullable Reply response;

    private record Content<Q, A>(Call<Q, A> call, Q request, Handler<Q, A> handler) {
        static <Q, A> Content<Q, A> read(WireInput in, Call<Q, A> call) throws IOException {
            Handler<Q, A> handler = Handlers.of(call);
            return new Content<>(call, in.value(call.request()), handler);
        }

        void write(ObjectDataOutput out) throws IOException {
            Call.FORM.write(out, call);
            call.request().write(out, request);
        }

        int requiredBackups(PartitionContainer container) {
            return handler.requiredBackups(request, container);
        }

        boolean isForAllReplicas() {
            return handler.isForAllReplicas(request);
        }

        Reply handle(int wireVersion, Changes changes, PartitionOwner owner) {
            return new Reply(wireVersion, call, handler.handle(request, changes, owner));
        }
    }

    /** Makes one that is about to be read. */
    RequestOperation() {}

    <Q, A> RequestOperation(int wireVersion, Call<Q, A> call, Q request) {
        super(wireVersion);
        this.content = new Content<>(call, request, Handlers.of(call));
    }

    private Content<?, ?> content() {
        return Objects.requireNonNull(content);
    }

    private Handler<?, ?> handler() {
        return content().handler;
    }

    @Override
    public void run() {
        PartitionOwner owner = owner();
        PartitionContainer container = owner.ownedContainer(getPartitionId());
        // Anew: Hazelcast runs the same object again when it retries a local call.
        Changes noted = new Changes(container);
        changes = noted;
        backupCount = content().requiredBackups(container);
        requireMayAct(owner);
        if (handler().needsBeginning()) {
            owner.requireBegun(container);
        }
        response = content().handle(wireVersion(), noted, owner);
    }

    @Override
    public @Nullable Object getResponse() {
        requireMayAct(owner());
        return response;
    }

    private void requireMayAct(PartitionOwner owner) {
        if (!handler().mayBeLost()) {
            owner.requireNotLeaving();
            owner.requireBackups(getPartitionId(), backupCount);
            // After the look at the members: what counts as a quorum must not be older than they.
            if (!handler().grantsNothing()) {
                owner.requireConfirmed();
            }
        }
    }

    private Changes changes() {
        return Objects.requireNonNull(changes, "a backup is made after the operation has run");
    }

    /** For Hazelcast's own check of the split-brain protection. */
    @Override
    public String getName() {
        return handler().needsBeginning() ? PartitionOwner.SERVICE_NAME : UNPROTECTED;
    }

    @Override
    public boolean shouldBackup() {
        return content().isForAllReplicas() || !changes().isEmpty();
    }

    @Override
    public int getSyncBackupCount() {
        return content().isForAllReplicas() ? IPartition.MAX_BACKUP_COUNT : backupCount;
    }

    @Override
    public int getAsyncBackupCount() {
        return 0;
    }

    @Override
    public Operation getBackupOperation() {
        return new ChangeBackupOperation(wireVersion(), changes().snapshot());
    }

    /** A refusal is an answer, which the caller gets; it is no error of this member. */
    @Override
    public void logError(Throwable e) {
        if (e instanceof SnowcastException
                || e instanceof BlockStoreException
                || e instanceof IllegalArgumentException) {
            ILogger logger = getLogger();
            logger.fine(e.getMessage(), e);
        } else {
            super.logError(e);
        }
    }

    @Override
    protected void toString(StringBuilder text) {
        super.toString(text);
        text.append(", call=").append(content().call);
    }

    @Override
    public int getClassId() {
        return ClassIds.REQUEST;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        content().write(out);
    }

    @Override
    void read(WireInput in) throws IOException {
        content = Content.read(in, in.value(Call.FORM));
    }
}
