// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import com.hazelcast.spi.impl.operationservice.NamedOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.cluster.Handlers.Exemption;
import com.noctarius.snowcast.internal.cluster.Handlers.Handler;
import com.noctarius.snowcast.internal.cluster.OwnerCheck.Permit;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to the owner of a partition. The owner executes it on the partition's thread. The caller receives the
 * answer when the backups have acknowledged the changes. {@link OwnerCheck} decides before the handler runs, and again
 * before the answer, whether this member may execute the request; Hazelcast itself refuses none in a PASSIVE cluster.
 * Even a refused request can make the partition's container, or discard data that must no longer be used.
 */
final class RequestOperation extends SnowcastOperation<RequestOperation.Content<?, ?>>
        implements PartitionAwareOperation,
                BackupAwareOperation,
                MutatingOperation,
                NamedOperation,
                AllowedDuringPassiveState {
    /** The name of operations to which split-brain protection does not apply. */
    static final String UNPROTECTED = "";

    private @Nullable Run run;

    private record Run(Permit permit, RequestContext context, Reply reply) {}

    record Content<Q, A>(RequestType<Q, A> type, Q request, Handler<Q, A> handler) {
        private static final Form<Content<?, ?>> FORM =
                new Form<>((out, content) -> content.write(out), in -> read(in, in.value(RequestType.FORM)));

        private static <Q, A> Content<Q, A> read(WireInput in, RequestType<Q, A> type) throws IOException {
            Handler<Q, A> handler = Handlers.of(type);
            return new Content<>(type, in.value(type.request()), handler);
        }

        private void write(ObjectDataOutput out) throws IOException {
            RequestType.FORM.write(out, type);
            type.request().write(out, request);
        }

        private Run run(Services services, int partitionId) {
            Permit permit = services.ownerCheck().before(partitionId, handler, request);
            RequestContext context =
                    new RequestContext(permit.container(), services.bounds().clusterMillis(), services.bounds());
            return new Run(permit, context, new Reply(type, handler.action().apply(request, context)));
        }
    }

    RequestOperation() {
        super(ClassIds.REQUEST, Content.FORM, null);
    }

    <Q, A> RequestOperation(RequestType<Q, A> type, Q request) {
        super(ClassIds.REQUEST, Content.FORM, new Content<>(type, request, Handlers.of(type)));
    }

    @Override
    public void run() {
        // A new object for each run: Hazelcast runs the same operation again when it retries a local call.
        run = content().run(services(), getPartitionId());
    }

    /** The answer and the backup are made after the operation has run. */
    private Run done() {
        return Objects.requireNonNull(run);
    }

    @Override
    public Object getResponse() {
        services().ownerCheck().after(getPartitionId(), content().handler, done().permit);
        return done().reply;
    }

    /** Hazelcast's split-brain protection passes this name to {@link SnowcastService#getSplitBrainProtectionName}. */
    @Override
    public String getName() {
        return content().handler.exemptions().contains(Exemption.RUNS_WITHOUT_QUORUM) ? UNPROTECTED : Services.NAME;
    }

    @Override
    public boolean shouldBackup() {
        return !done().context.isEmpty();
    }

    @Override
    public int getSyncBackupCount() {
        return done().context.isForAllReplicas()
                ? IPartition.MAX_BACKUP_COUNT
                : done().permit.backupCount();
    }

    @Override
    public int getAsyncBackupCount() {
        return 0;
    }

    @Override
    public Operation getBackupOperation() {
        return new ChangeBackupOperation(done().context.snapshot());
    }

    /** Does not log a refusal as an error of this member, because a refusal is an answer to the caller. */
    @Override
    public void logError(Throwable e) {
        if (e instanceof SnowcastException || e instanceof IllegalArgumentException) {
            getLogger().fine(e.getMessage(), e);
        } else {
            super.logError(e);
        }
    }

    @Override
    protected void toString(StringBuilder text) {
        super.toString(text);
        text.append(", type=").append(content().type);
    }
}
