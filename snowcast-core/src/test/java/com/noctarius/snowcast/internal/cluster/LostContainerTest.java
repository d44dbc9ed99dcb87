// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.owner.Copies;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the container of a partition whose data is lost or incomplete, and the copies that replicas make of it. */
class LostContainerTest {
    private static final long NOW = 1_700_000_000_000L;

    @Test
    void nobodyIsAttachedInALostPartitionBeforeItsTimeWhoeverBecomesTheOwner() {
        long until = NOW + 60_000;
        PartitionContainer owner = PartitionContainer.afterLoss(NOW, until, null);
        PartitionContainer replica = PartitionContainer.cold();
        replica.join(owner.snapshotFor(1), null, false);
        PartitionContainer older = new PartitionContainer();
        older.join(owner.snapshot(List.of()), null, false);
        older.join(new PartitionContainer().snapshotFor(1), null, false);

        for (PartitionContainer container : List.of(owner, replica, older)) {
            assertThatThrownBy(() -> attach(container, until - 1))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class);
            assertThat(attach(container, until).floor()).isEqualTo(until);
        }
    }

    /** Returns a copy of an owner's container. The owner has a table of the name {@code bills}; the copy lacks it. */
    private static PartitionContainer replicaThatLacksAName() {
        PartitionContainer owner = new PartitionContainer();
        owner.put("bills", new ReplicatedTable("bills", 1));
        PartitionContainer replica = PartitionContainer.cold();
        replica.join(owner.snapshot(List.of()), null, false);
        return replica;
    }

    @Test
    void aNameThatACopyLacksIsLostWhenItBecomesTheOwner() {
        PartitionContainer replica = replicaThatLacksAName();
        replica.becomeOwner(1, NOW, NOW + 60_000);

        assertThatThrownBy(() -> attach(replica, NOW + 59_999)).isExactlyInstanceOf(SnowcastUnavailableException.class);
        assertThat(attach(replica, NOW + 60_000).floor()).isEqualTo(NOW + 60_000);
    }

    /**
     * The former owner becomes a backup and receives a full copy. It then lacks no name, so if it becomes the owner
     * again, it does not start another recovery.
     */
    @Test
    void aLossOfNamesIsNotRepeated() {
        PartitionContainer replica = replicaThatLacksAName();
        assertThat(replica.lacksNames()).isTrue();
        replica.becomeOwner(1, NOW, NOW + 60_000);

        PartitionContainer next = PartitionContainer.cold();
        next.join(replica.snapshotFor(1), null, false);
        replica.join(next.snapshotFor(1), null, false);
        assertThat(replica.lacksNames()).isFalse();
    }

    /**
     * The owner has discarded its state, and its clock was set back. The backup still has the discarded state, whose
     * change numbers are higher than those of the owner's new state. The backup must nevertheless accept the new state.
     */
    @Test
    void copiesJoinWhatAnOwnerDoesAfterItGaveUpItsDataThoughItsClockWasSetBack() {
        UUID member = UUID.randomUUID();
        PartitionContainer owner = new PartitionContainer();
        attach(owner, NOW);
        PartitionContainer replica = PartitionContainer.cold();
        replica.join(owner.snapshotFor(1), member, true);

        long setBack = NOW - 3_600_000;
        PartitionContainer lost = PartitionContainer.afterLoss(setBack, setBack, owner);
        attach(lost, setBack + 2_000);
        replica.join(lost.snapshotFor(1), member, true);

        assertThat(replica.table("orders").snapshotFor(0))
                .isEqualTo(lost.table("orders").snapshotFor(0));
    }

    private static Grant attach(PartitionContainer container, long nowMillis) {
        return Copies.attach(container, "orders", 1, nowMillis, 0);
    }
}
