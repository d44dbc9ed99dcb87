// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastUnavailableException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests how a partition forgets the node IDs of its destroyed names, and how a copy finds out that it lacks names. */
class PartitionContainerTest {
    private static final long NOW = 1_700_000_000_000L;
    /** How many milliseconds a creation waits for holders of a destroyed sequencer. */
    private static final long SETTLING = 10_000;

    private final PartitionContainer container = new PartitionContainer();

    private void attach(String name, long nowMillis) {
        Copies.attach(container, name, 1, nowMillis, 60_000);
    }

    /** Destroys a name as the handler of a destroy request does. */
    private void destroy(String name, long nowMillis) {
        container.forgetDestroyed(nowMillis);
        NodeTable table = container.table(name).table();
        table.destroy(table.lifecycle.incarnation(), nowMillis);
    }

    private int nodeIds(String name) {
        return container.table(name).table().entries.size();
    }

    private void createAndDestroy(String name, long nowMillis) {
        attach(name, nowMillis);
        destroy(name, nowMillis);
    }

    @Test
    void theNextDestructionForgetsTheNodeIdsOfThoseBeforeWhenTheirHoldersAreAwaitedNoMore() {
        createAndDestroy("first", NOW);
        createAndDestroy("second", NOW + 1);
        assertThat(nodeIds("first")).as("its holder may give it back").isOne();

        createAndDestroy("third", NOW + SETTLING);
        assertThat(nodeIds("first")).isZero();
        assertThat(nodeIds("second")).isOne();
        assertThat(nodeIds("third")).isOne();

        createAndDestroy("fourth", NOW + 3 * SETTLING);
        assertThat(nodeIds("second") + nodeIds("third")).isZero();
    }

    /** The name has been created again, so its node IDs belong to the next incarnation. */
    @Test
    void aNameThatWasCreatedAgainForgetsNothing() {
        createAndDestroy("first", NOW);
        attach("first", NOW + SETTLING);
        createAndDestroy("second", NOW + 3 * SETTLING);
        assertThat(nodeIds("first")).isOne();
    }

    @Test
    void aNameThatIsDestroyedTwiceIsForgottenAfterTheSecondTime() {
        createAndDestroy("first", NOW);
        createAndDestroy("first", NOW + SETTLING);
        createAndDestroy("second", NOW + 2 * SETTLING - 1);
        assertThat(nodeIds("first")).isOne();
        createAndDestroy("third", NOW + 2 * SETTLING);
        assertThat(nodeIds("first")).isZero();
    }

    // --- whether a copy has all names

    private static PartitionContainer ownerOf(String... names) {
        PartitionContainerTest owner = new PartitionContainerTest();
        for (String name : names) {
            owner.attach(name, NOW);
        }
        return owner.container;
    }

    /** Sends the owner's state of some names to the copy under test. */
    private void send(PartitionContainer owner, UUID member, String... names) {
        List<Snapshot> tables =
                Stream.of(names).map(name -> owner.table(name).snapshotFor(1)).toList();
        container.join(owner.snapshot(tables), member, true);
    }

    private void promote() {
        container.becomeOwner(1, NOW + 1, NOW + 60_001);
    }

    /**
     * A member has returned without its data, while the state of the cluster permits no migrations. The owner sends it
     * a new name and crashes before the next owner has received this name. The next owner then sends it all names but
     * one. The member now has as many names as the next owner, but not the same ones.
     */
    @Test
    void aCopyThatHasAsManyNamesAsItsOwnerMayLackOne() {
        send(ownerOf("first", "idle", "unanswered"), UUID.randomUUID(), "unanswered");
        send(ownerOf("first", "idle", "second"), UUID.randomUUID(), "first", "second");

        promote();

        assertThatThrownBy(() -> attach("idle", NOW + 2)).isExactlyInstanceOf(SnowcastUnavailableException.class);
    }

    @Test
    void aCopyThatOneOwnerSentItsNamesOneAfterTheOtherLacksNoneOfTheNextOwner() {
        PartitionContainer former = ownerOf("first", "idle");
        UUID member = UUID.randomUUID();
        send(former, member, "first");
        send(former, member, "idle");
        send(ownerOf("first", "idle", "second"), UUID.randomUUID(), "second");

        promote();

        attach("third", NOW + 2);
    }

    @Test
    void aCopyLacksNoNameAnyMoreWhenTheNextOwnerHasSentAll() {
        send(ownerOf("first", "idle", "unanswered"), UUID.randomUUID(), "unanswered");
        PartitionContainer next = ownerOf("first", "idle", "second");
        UUID member = UUID.randomUUID();
        send(next, member, "first");
        send(next, member, "first", "idle", "second");

        promote();

        attach("third", NOW + 2);
    }

    private static PartitionContainer lostOwnerOf(String... names) {
        PartitionContainer owner = PartitionContainer.afterLoss(NOW - 9, NOW - 1, null);
        PartitionContainer attached = ownerOf(names);
        for (String name : names) {
            owner.put(name, attached.table(name));
        }
        return owner;
    }

    /** The owner has lost a name that the copy had received before. */
    @Test
    void aCopyThatHasAsManyNamesAsItsOwnerHasLeftMayLackOne() {
        UUID member = UUID.randomUUID();
        send(ownerOf("first", "lost"), member, "lost");
        send(lostOwnerOf("first", "idle"), member, "first");

        promote();

        assertThatThrownBy(() -> attach("idle", NOW + 2)).isExactlyInstanceOf(SnowcastUnavailableException.class);
    }

    @Test
    void aCopyThatWasSentItsNamesAfterALossLacksNone() {
        PartitionContainer owner = lostOwnerOf("first", "second");
        UUID member = UUID.randomUUID();
        send(owner, member, "first");
        send(owner, member, "second");

        promote();

        attach("third", NOW + 2);
    }

    // --- an owner that has lost its data

    /** What the copy has may be older than decisions that the owner has lost. */
    @Test
    void aCopyGivesUpWhatItsOwnerHasLost() {
        UUID member = UUID.randomUUID();
        send(ownerOf("first", "second"), member, "first", "second");
        send(lostOwnerOf(), member);

        assertThat(container.names()).isEmpty();
        assertThat(container.lacksNames()).isFalse();
        promote();
        assertThatThrownBy(() -> attach("first", NOW - 2)).isExactlyInstanceOf(SnowcastUnavailableException.class);
    }

    /** The owner waits for high-water marks, so it does not know the end of the wait for what it has lost. */
    @Test
    void aCopyWhoseOwnerIsColdAfterALossMakesNoGrants() {
        UUID member = UUID.randomUUID();
        send(ownerOf("first"), member, "first");
        PartitionContainer coldOwner = PartitionContainer.afterLoss(NOW, Long.MAX_VALUE, null);
        send(coldOwner, member);

        assertThat(container.names()).isEmpty();
        assertThat(container.isCold()).isTrue();
        assertThat(container.hasLostData()).isTrue();
        coldOwner.endCold(NOW + 1_000);
        send(coldOwner, member);
        promote();
        assertThatThrownBy(() -> attach("first", NOW)).isExactlyInstanceOf(SnowcastUnavailableException.class);
    }

    /** If it took the loss over, it would give up data that its owner has not lost. */
    @Test
    void aCopyKeepsItsDataIfAMemberThatIsNotTheOwnerHasLostIt() {
        send(ownerOf("first"), UUID.randomUUID(), "first");
        ContainerSnapshot lost = lostOwnerOf().snapshot(List.of());
        UUID other = UUID.randomUUID();

        assertThatThrownBy(() -> container.join(lost, other, false)).isExactlyInstanceOf(IllegalStateException.class);
        assertThat(container.names()).containsExactly("first");
        assertThat(container.hasLostData()).isFalse();
    }

    /** An owner that had lost its data crashes, and another copy, which does not know of the loss, takes its place. */
    @Test
    void aCopyThatKnowsALossWhichItsNextOwnerDoesNotLacksTheNamesOfThatOwner() {
        send(lostOwnerOf(), UUID.randomUUID());
        PartitionContainer next = ownerOf("first", "second");
        UUID member = UUID.randomUUID();
        send(next, member, "first");
        assertThat(container.lacksNames()).isTrue();

        send(next, member, "first", "second");
        assertThat(container.lacksNames()).isFalse();
    }

    // --- a partition whose data is lost or incomplete

    private static Grant attachAt(long nowMillis, PartitionContainer of) {
        return Copies.attach(of, "orders", 1, nowMillis, 0);
    }

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
            assertThatThrownBy(() -> attachAt(until - 1, container))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class);
            assertThat(attachAt(until, container).floor()).isEqualTo(until);
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

        assertThatThrownBy(() -> attachAt(NOW + 59_999, replica))
                .isExactlyInstanceOf(SnowcastUnavailableException.class);
        assertThat(attachAt(NOW + 60_000, replica).floor()).isEqualTo(NOW + 60_000);
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
        attachAt(NOW, owner);
        PartitionContainer replica = PartitionContainer.cold();
        replica.join(owner.snapshotFor(1), member, true);

        long setBack = NOW - 3_600_000;
        PartitionContainer lost = PartitionContainer.afterLoss(setBack, setBack, owner);
        attachAt(setBack + 2_000, lost);
        replica.join(lost.snapshotFor(1), member, true);

        assertThat(replica.table("orders").snapshotFor(0))
                .isEqualTo(lost.table("orders").snapshotFor(0));
    }
}
