// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.cluster.Handler.Exemption;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Copies;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.RequestType;
import org.junit.jupiter.api.Test;

class HandlersTest {
    private static final long NOW = 1_700_000_000_000L;

    private final Handler<ContainerSnapshot.Losing, DuplicatesReported> merge = Handlers.of(RequestType.MERGE);
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
        assertThat(merge.exemptions()).doesNotContain(Exemption.SKIPS_CHECKS_OF_OWNER, Exemption.READS_ONLY);
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
}
