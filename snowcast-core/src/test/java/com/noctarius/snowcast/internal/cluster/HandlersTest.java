// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.Handlers.Exemption;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Copies;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HandlersTest {
    private static final long NOW = 1_700_000_000_000L;

    private final Handlers.Handler<ContainerSnapshot.Losing, DuplicatesReported> merge = Handlers.of(RequestType.MERGE);
    private final PartitionContainer winning = new PartitionContainer();
    private final PartitionContainer losing = new PartitionContainer();

    private static void create(PartitionContainer container, String name, int backupCount) {
        Copies.attach(container, name, backupCount, NOW, 0);
    }

    private int backupsOfMerge() {
        return merge.backups().applyAsInt(new ContainerSnapshot.Losing(0, losing.snapshotFor(0)), winning);
    }

    /** If backups missed the merge, the next owner of the winning side could repeat the losing side's grants. */
    @Test
    void aMergeIsAnsweredWhenBackupsHaveIt() {
        assertThat(merge.exemptions()).doesNotContain(Exemption.BEST_EFFORT, Exemption.READS_ONLY);
    }

    @Test
    void aMergeOfWhatThisSideDidNotKnowAwaitsTheBackupsOfTheOtherOne() {
        create(losing, "orders", 1);
        create(losing, "bills", 2);
        assertThat(backupsOfMerge()).isEqualTo(2);
    }

    @Test
    void aMergeAwaitsTheMostBackupsOfAllNames() {
        create(winning, "orders", 2);
        create(winning, "not in the merge", 4);
        create(losing, "orders", 1);
        create(losing, "bills", 1);
        assertThat(backupsOfMerge()).isEqualTo(2);
    }

    /**
     * The losing side may have renewed leases, and then lost its data. The winning side has former entries of these
     * leases, which end earlier.
     */
    @Test
    @SuppressWarnings("NullAway") // A merge uses no bounds.
    void afterAMergeOfALostContainerAllNamesOfThePartitionWaitForTheLostLeases() {
        create(winning, "orders", 2);
        create(winning, "bills", 1);
        PartitionContainer lost = PartitionContainer.afterLoss(NOW - 1_000, NOW + 1_000, null);
        Copies.attach(lost, "bills", 1, NOW + 1_000, 0);
        var request = new ContainerSnapshot.Losing(0, lost.snapshotFor(0));
        RequestContext context = new RequestContext(winning, NOW, null);

        assertThat(merge.backups().applyAsInt(request, winning)).isEqualTo(2);
        assertThat(merge.action().apply(request, context).ids()).isEmpty();

        assertThat(context.isForAllReplicas()).isTrue();
        PartitionContainer backup = PartitionContainer.cold();
        backup.join(context.snapshot(), UUID.randomUUID(), true);
        for (PartitionContainer container : List.of(winning, backup)) {
            Map.of("orders", 2, "bills", 1, "unknown", 1).forEach((name, backupCount) -> {
                assertThatThrownBy(() -> Copies.attach(container, name, backupCount, NOW + 999, 0))
                        .as(name)
                        .isExactlyInstanceOf(SnowcastUnavailableException.class);
                assertThat(Copies.attach(container, name, backupCount, NOW + 1_000, 0)
                                .floor())
                        .as(name)
                        .isGreaterThanOrEqualTo(NOW + 1_000);
            });
        }
    }

    @Test
    void aLostContainerIsSentAlthoughItHasNoNames() {
        assertThat(PartitionContainer.afterLoss(NOW, NOW + 1, null)
                        .snapshotFor(0)
                        .isNeededForMerge())
                .isTrue();
        assertThat(PartitionContainer.cold().snapshotFor(0).isNeededForMerge()).isFalse();
        assertThat(losing.snapshotFor(0).isNeededForMerge()).isFalse();
        losing.endCold(NOW + 1);
        assertThat(losing.snapshotFor(0).isNeededForMerge())
                .as("it waits after a start, not a loss")
                .isFalse();
    }
}
