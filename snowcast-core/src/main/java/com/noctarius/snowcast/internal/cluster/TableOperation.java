// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import com.hazelcast.spi.impl.operationservice.NamedOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.counter.CounterSnapshot;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.store.BlockStoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation on tables or counters of a partition, run by the partition's owner and backed up before it is answered.
 *
 * <p>Idempotent: sent again, it gives the same answer and sends its backups again. The live backups are counted before
 * the table is changed, and once more before the answer is given, since a replica may have gone in between.
 *
 * @param <R> the answer
 */
abstract class TableOperation<R> extends SnowcastOperation
        implements PartitionAwareOperation, BackupAwareOperation, MutatingOperation, NamedOperation {
    private final List<TableSnapshot> changes = new ArrayList<>();
    private final List<CounterSnapshot> counterChanges = new ArrayList<>();
    private @Nullable PartitionContainer container;
    private int backupCount;
    private @Nullable R response;

    /** How many live backups must hear of it: the tables' backup count. */
    abstract int requiredBackups(PartitionContainer ofPartition);

    /** Changes tables and calls {@link #changed} for each. */
    abstract @Nullable R change(PartitionContainer ofPartition, SnowcastService service);

    /** Whether replicas beyond the tables' backup count hear of it, too: so that every replica knows every definition. */
    boolean isForAllReplicas() {
        return false;
    }

    /** Whether it has to wait until it is known what was granted before the cluster was started. */
    boolean needsBeginning() {
        return true;
    }

    /** Whether the change may be lost: then it is made also while backups are missing. */
    boolean mayBeLost() {
        return false;
    }

    /** Whether it neither hands anything out nor ends a life: then also a member does it that may have been removed. */
    boolean grantsNothing() {
        return false;
    }

    final void changed(TableSnapshot change) {
        changes.add(change);
    }

    final void changed(CounterSnapshot change) {
        counterChanges.add(change);
    }

    @Override
    public final void run() {
        SnowcastService service = getService();
        PartitionContainer present = service.ownedContainer(getPartitionId());
        container = present;
        counterChanges.clear();
        changes.clear(); // Hazelcast runs the same object again when it retries a local call
        backupCount = requiredBackups(present);
        requireMayAct(service);
        if (needsBeginning()) {
            service.begin(present);
        }
        response = change(present, service);
    }

    @Override
    public final @Nullable Object getResponse() {
        SnowcastService service = getService();
        requireMayAct(service);
        return response;
    }

    private void requireMayAct(SnowcastService service) {
        if (!mayBeLost()) {
            service.requireNotResting();
            service.requireBackups(getPartitionId(), backupCount);
            // After the look at the members: what counts as a quorum must not be older than they.
            if (!grantsNothing()) {
                service.peers().requireConfirmed();
            }
        }
    }

    /** For Hazelcast's own check of the split-brain protection. */
    @Override
    public final String getName() {
        return needsBeginning() ? SnowcastService.NAME : SnowcastService.UNPROTECTED;
    }

    @Override
    public final boolean shouldBackup() {
        return isForAllReplicas() || !changes.isEmpty() || !counterChanges.isEmpty();
    }

    @Override
    public final int getSyncBackupCount() {
        return isForAllReplicas() ? IPartition.MAX_BACKUP_COUNT : backupCount;
    }

    @Override
    public final int getAsyncBackupCount() {
        return 0;
    }

    @Override
    public final Operation getBackupOperation() {
        PartitionContainer present = container;
        if (present == null) {
            throw new IllegalStateException("a backup is made after the operation has run");
        }
        return new TableBackupOperation(present.snapshot(changes, counterChanges));
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
}
