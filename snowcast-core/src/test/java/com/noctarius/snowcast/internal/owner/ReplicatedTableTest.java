// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static com.noctarius.snowcast.internal.owner.Requester.detach;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.RenewReply.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the copies of a node table, and their promotion when the owner is lost. */
class ReplicatedTableTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final long EPOCH = NOW - 10_000_000;
    private static final long IDNOW = NOW - EPOCH;
    private static final long LEASE = 300_000;
    private static final long SKEW = 60_000;
    private static final TableRules RULES = new TableRules(LEASE, SKEW, LEASE + 2 * SKEW + 60_000, 0, 8_191);
    private static final SnowcastLayout FOUR_NODES = new SnowcastLayout(41, 2, 10);
    private static final Definition FOUR = new Definition(EPOCH, FOUR_NODES, 2, null);

    private final ReplicatedTable table = new ReplicatedTable(Requester.NAME, 1);

    private static Requester holder(int number) {
        return new Requester(number, NOW, FOUR);
    }

    private Grant attach(Requester requester) {
        return attach(table, requester);
    }

    private static Grant attach(ReplicatedTable replica, Requester requester) {
        return attach(replica, requester.attach(1), NOW, RULES);
    }

    private static Grant attach(ReplicatedTable replica, AttachRequest request, long now, TableRules rules) {
        return Objects.requireNonNull(
                replica.table().attach(request, now, rules).answer().orElse(null));
    }

    private List<Grant> attachAll() {
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < FOUR_NODES.logicalNodeCount(); i++) {
            grants.add(attach(holder(i)));
        }
        return grants;
    }

    private RenewReply renew(Requester requester, Grant grant) {
        return renew(table, requester, grant);
    }

    private static RenewReply renew(ReplicatedTable replica, Requester requester, Grant grant) {
        return renew(replica, requester.renew(grant), requester.now(), RULES);
    }

    private static RenewReply renew(ReplicatedTable replica, RenewRequest request, long now, TableRules rules) {
        return replica.table().renew(request, now, rules).answer();
    }

    private static void assertRenewed(ReplicatedTable replica, Requester requester, Grant grant) {
        assertThat(renew(replica, requester, grant).outcome()).isEqualTo(Outcome.RENEWED);
    }

    /** Destroys a grant's incarnation, so long ago that a creation no longer waits for its holders. */
    private void destroy(Grant grant) {
        assertThat(table.table().destroy(grant.incarnation(), NOW - 10_000).answer())
                .isTrue();
    }

    /** Makes the table lose all grants and wait for the renewals of their holders. */
    private void recover() {
        promoted(table, 3, 2, NOW); // A copy beyond the backup count loses its grants when it is promoted.
    }

    private static void promote(ReplicatedTable copy, long epoch, long now) {
        promoted(copy, 1, epoch, now);
    }

    private static void promoted(ReplicatedTable copy, int fromReplicaIndex, long epoch, long now) {
        copy.becomeOwner(fromReplicaIndex, epoch, now, now + RULES.lossWaitMillis());
    }

    private static ReplicatedTable copyOf(ReplicatedTable original) {
        return Copies.of(original.snapshotFor(1));
    }

    @Test
    void fullCopyTakesOverWithoutAWait() {
        Grant grant = attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        promote(copy, 9, NOW);
        assertRenewed(copy, holder(1), grant);
        assertThat(attach(copy, holder(2)).logicalNodeId()).isNotEqualTo(grant.logicalNodeId());
    }

    @Test
    void copyWithoutNodeIdsRecoversWhenPromoted() {
        attach(holder(1));
        ReplicatedTable copy = Copies.of(table.snapshotFor(3));
        assertThat(copy.snapshotFor(0).entries()).isEmpty();
        promoted(copy, 2, 9, NOW);
        assertRecovers(copy);
    }

    @Test
    void copyBeyondTheBackupCountRecoversWhenPromoted() {
        attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        promoted(copy, 3, 9, NOW);
        assertRecovers(copy);
    }

    @Test
    void copyOfAChangeRecoversWhenPromotedBeforeTheRestCame() {
        Grant grant = attach(holder(1));
        attach(holder(2));
        ReplicatedTable copy = Copies.of(table.change(Set.of(grant.logicalNodeId())));
        promote(copy, 9, NOW);
        assertRecovers(copy);
    }

    @Test
    void copyThatMissedNodeIdsRecoversWhenPromotedBeforeTheyCame() {
        attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        attach(holder(2));
        copy.join(table.snapshotFor(3), null, false);
        ReplicatedTable completed = copyOf(copy);
        completed.join(table.snapshotFor(1), null, false);
        promoted(copy, 2, 9, NOW);
        assertRecovers(copy);

        promoted(completed, 2, 9, NOW);
        assertThat(attach(completed, holder(3))).isNotNull();
    }

    @Test
    void lateHeaderDoesNotMakeACopyCompleteThatLacksNodeIds() {
        attach(holder(1));
        Snapshot late = table.snapshotFor(3);
        attach(holder(2));
        ReplicatedTable copy = copyOf(table);
        attach(holder(3));
        copy.join(table.snapshotFor(3), null, false);
        copy.join(late, null, false);
        promoted(copy, 2, 9, NOW);
        assertRecovers(copy);
    }

    @Test
    void firstChangeOfAnIncarnationIsAllOfIt() {
        Grant grant = attach(holder(1));
        ReplicatedTable copy = Copies.of(table.change(Set.of(grant.logicalNodeId())));
        promote(copy, 9, NOW);
        assertThat(attach(copy, holder(1))).isEqualTo(grant);
    }

    @Test
    void changeForABackupBeyondTheCountTellsTheDefinitionOnly() {
        Grant grant = attach(holder(1));
        Snapshot change = table.change(Set.of(grant.logicalNodeId()));
        assertThat(change.forReplica(2)).isSameAs(change);
        assertThat(change.forReplica(3)).isEqualTo(table.snapshotFor(3));
    }

    @Test
    void changeOfAForeignEpochIsRefused() {
        Grant grant = attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        attach(holder(2));
        recover();
        renew(holder(1), grant);
        renew(holder(2), attach(copy, holder(2)));
        Snapshot change = table.change(Set.of(grant.logicalNodeId()));
        assertThat(change.kind()).isEqualTo(Snapshot.Kind.CHANGE);
        assertThatThrownBy(() -> copy.join(change, null, false)).isInstanceOf(IllegalStateException.class);
        copy.join(table.snapshotFor(1), null, false);
        assertSame(copy, table);
    }

    @Test
    void copiesHearThatASequencerWasDestroyedGivenBackAndLost() {
        Grant grant = attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        destroy(grant);
        copy.join(table.change(Set.of()), null, false);
        assertSame(copy, table);

        table.table().detach(detach(grant, IDNOW));
        copy.join(table.change(Set.of(grant.logicalNodeId())), null, false);
        assertThat(copy.snapshotFor(1).header().highestOfDestroyed())
                .isEqualTo(table.snapshotFor(1).header().highestOfDestroyed());

        recover();
        copy.join(table.snapshotFor(1), null, false);
        assertSame(copy, table);
    }

    @Test
    void olderTableOfAForeignEpochIsRefused() {
        attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        promoted(copy, 3, 2, NOW);
        Snapshot before = copy.snapshotFor(1);
        assertThatThrownBy(() -> copy.join(table.snapshotFor(1), null, false))
                .isInstanceOf(IllegalStateException.class);
        assertThat(copy.snapshotFor(1)).isEqualTo(before);
    }

    /** The clock of a former owner was ahead, and only this copy has received that owner's changes. */
    @Test
    void aCopyGoesByThePresentOwnerThoughItsClockIsBehindThatOfAFormerOne() {
        UUID first = new UUID(0, 1);
        UUID second = new UUID(0, 2);
        UUID third = new UUID(0, 3);
        attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        copy.join(table.snapshotFor(1), first, true);
        ReplicatedTable ofSecond = copyOf(table);
        ReplicatedTable ofThird = copyOf(table);
        promote(ofSecond, 7, NOW + 1_000);
        attach(ofSecond, holder(2));
        copy.join(ofSecond.snapshotFor(1), second, true);
        promote(ofThird, 9, NOW);
        Grant grant = attach(ofThird, holder(3));
        Snapshot sent = ofThird.snapshotFor(1);

        assertThatThrownBy(() -> copy.join(sent, third, false))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("that is not known as the owner");
        copy.join(sent, third, true);
        assertSame(copy, ofThird);
        promote(copy, 11, NOW + 2_000);
        assertThat(attach(copy, holder(4)).logicalNodeId()).isNotEqualTo(grant.logicalNodeId());
    }

    /** The new owner got the table by a migration, so it continues with the change numbers of the former owner. */
    @Test
    void copyKeepsAllWhenAnotherOwnerSendsAChangeWithTheNumberThatItKnows() {
        List<Grant> grants = attachAll();
        ReplicatedTable copy = copyOf(table);
        copy.join(table.snapshotFor(1), new UUID(0, 1), true);
        Snapshot sent = table.change(Set.of(grants.get(0).logicalNodeId()));

        copy.join(sent, new UUID(0, 2), false);
        copy.join(sent, new UUID(0, 3), true);
        assertSame(copy, table);
        promote(copy, 9, NOW);
        assertThat(copy.snapshotFor(0).header().waitEndMillis())
                .as("it lacks nothing")
                .isZero();
    }

    /** A copy accepts newer changes from an unknown member, because that member may have become the owner. */
    @Test
    void copyGoesByItsOwnerAgainAfterAnUnknownMemberHasSentMore() {
        UUID owner = new UUID(0, 1);
        attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        copy.join(table.snapshotFor(1), owner, true);
        ReplicatedTable ofOther = copyOf(table);
        promoted(ofOther, 1, 7, NOW + 1_000);
        attach(ofOther, holder(2));
        copy.join(ofOther.snapshotFor(1), null, false);
        assertSame(copy, ofOther);

        attach(holder(3));
        copy.join(table.snapshotFor(1), owner, true);
        assertSame(copy, table);
    }

    @Test
    void copyIsNotSetBackByAnOlderMessageOfTheSameOwner() {
        UUID owner = new UUID(0, 1);
        attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        Snapshot older = table.snapshotFor(1);
        attach(holder(2));
        copy.join(table.snapshotFor(1), owner, true);
        copy.join(older, owner, true);
        assertSame(copy, table);
    }

    /**
     * This member was itself the owner between two messages of the present owner. It must replace its own state by the
     * state of the present owner.
     */
    @Test
    void memberThatWasTheOwnerGoesByTheNextOneAlsoIfThatHasOwnedBefore() {
        UUID owner = new UUID(0, 1);
        attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        copy.join(table.snapshotFor(1), owner, true);
        promote(copy, 7, NOW + 1_000);
        attach(copy, holder(2));
        copy.join(table.snapshotFor(1), owner, true);
        assertSame(copy, table);
    }

    @Test
    void copyThatGoesByAnotherOwnerAndHeardOfOneChangeOnlyLacksTheRest() {
        attach(holder(1));
        ReplicatedTable ofOther = copyOf(table);
        promote(ofOther, 7, NOW);
        ReplicatedTable copy = copyOf(table);
        promote(copy, 8, NOW + 1_000);
        attach(copy, holder(2));
        Grant grant = attach(ofOther, holder(3));

        copy.join(ofOther.change(Set.of(grant.logicalNodeId())), new UUID(0, 1), true);
        promote(copy, 11, NOW + 2_000);
        assertRecovers(copy);
    }

    @Test
    void changesThatOnlyOtherReplicasHeardOfAreOlderThanThoseOfTheNextOwner() {
        List<Grant> grants = attachAll();
        Grant grant = grants.get(0);
        ReplicatedTable next = copyOf(table);
        ReplicatedTable other = copyOf(table);
        // The owner crashes during these changes: the other replica has received them, the next owner has not.
        table.table().detach(detach(grant, IDNOW));
        other.join(table.change(Set.of(grant.logicalNodeId())), null, false);
        Grant unanswered = attach(table, holder(9).asking(1_000));
        other.join(table.change(Set.of(unanswered.logicalNodeId())), null, false);

        promote(next, 9, NOW);
        RenewReply reply = renew(next, holder(0).at(NOW + 10), grant);
        other.join(next.change(Set.of(grant.logicalNodeId())), null, false);
        assertThat(reply.outcome()).isEqualTo(Outcome.RENEWED);
        assertSame(other, next);
    }

    /** If the copy counted as complete, the node IDs that it has forgotten would count as free. */
    @Test
    void aCopyThatHeardOfADestructionThatIsUndoneHasNotAll() {
        Grant renewed = attach(holder(1));
        attach(holder(2));
        ReplicatedTable next = copyOf(table);
        ReplicatedTable other = copyOf(table);
        destroy(renewed);
        other.join(table.change(Set.of()), null, false);

        promote(next, 9, NOW);
        next.table().renew(holder(1).renew(renewed), NOW, RULES);
        other.join(next.change(Set.of(renewed.logicalNodeId())), null, false);
        promote(other, 10, NOW);
        assertThat(other.snapshotFor(1).header().waitEndMillis()).isGreaterThan(NOW);
    }

    @Test
    void destroyThatTheNextOwnerNeverHeardOfIsUndone() {
        Grant grant = attach(holder(1));
        ReplicatedTable next = copyOf(table);
        ReplicatedTable other = copyOf(table);
        destroy(grant);
        other.join(table.change(Set.of()), null, false);

        promote(next, 9, NOW);
        next.table().renew(holder(1).at(NOW + LEASE).renew(grant), NOW + LEASE, RULES);
        other.join(next.change(Set.of(grant.logicalNodeId())), null, false);
        promote(other, 10, NOW + LEASE);
        assertThat(other.table().definition()).isEqualTo(FOUR);
        assertThat(renew(other, holder(1).renew(grant), NOW + LEASE, RULES).outcome())
                .isEqualTo(Outcome.RENEWED);
    }

    @Test
    void tableThatStartedOverReplacesOlderCopies() {
        attach(holder(1));
        ReplicatedTable copy = copyOf(table);
        ReplicatedTable started = new ReplicatedTable(Requester.NAME, 5);
        Grant grant = attach(started, holder(2).at(NOW + 1).attach(1), NOW + 1, RULES);
        copy.join(started.change(Set.of(grant.logicalNodeId())), null, false);
        assertSame(copy, started);
    }

    @Test
    void joinIsIdempotentCommutativeAndAssociative() {
        long seed = Long.getLong("snowcast.seed", 7);
        for (int round = 0; round < 300; round++) {
            Random random = new Random(seed + round);
            List<Snapshot> snapshots = history(random);
            ReplicatedTable inOrder = joined(snapshots);
            List<Snapshot> shuffled = new ArrayList<>(snapshots);
            shuffled.addAll(snapshots.subList(0, snapshots.size() / 2));
            Collections.shuffle(shuffled, random);
            int half = shuffled.size() / 2;
            ReplicatedTable left = joined(shuffled.subList(0, half));
            ReplicatedTable right = joined(shuffled.subList(half, shuffled.size()));
            left.join(right.snapshotFor(1), null, false);

            assertThat(content(joined(shuffled))).as("seed %d", seed + round).isEqualTo(content(inOrder));
            assertThat(content(left)).as("seed %d", seed + round).isEqualTo(content(inOrder));
            left.join(inOrder.snapshotFor(1), null, false);
            assertThat(content(left)).as("seed %d", seed + round).isEqualTo(content(inOrder));
        }
    }

    /** Returns full copies and changes of an owner's table, in order. The sequencer may be destroyed in between. */
    private List<Snapshot> history(Random random) {
        ReplicatedTable owner = new ReplicatedTable(Requester.NAME, 1);
        List<Snapshot> snapshots = new ArrayList<>();
        List<Grant> grants = new ArrayList<>(List.of(attach(owner, holder(99))));
        long now = NOW;
        for (int step = 0; step < 30; step++) {
            now += random.nextInt((int) LEASE);
            Grant grant = grants.get(random.nextInt(grants.size()));
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    try {
                        grants.add(attach(owner, holder(step).at(now).attach(1), now, RULES));
                    } catch (SnowcastException e) {
                        continue;
                    }
                }
                case 2, 3 -> renew(owner, holder(0).at(now), grant);
                case 4 -> owner.table().detach(detach(grant, now - EPOCH)).answer();
                default -> {
                    if (random.nextBoolean()
                            && owner.table()
                                    .destroy(grant.incarnation(), now - 10_000)
                                    .answer()) {
                        owner.table().detach(detach(grant, now - EPOCH));
                    }
                }
            }
            snapshots.add(random.nextInt(4) == 0 ? owner.snapshotFor(1) : owner.change(Set.of(0, 1, 2, 3)));
        }
        snapshots.add(owner.snapshotFor(1));
        return snapshots;
    }

    private ReplicatedTable joined(List<Snapshot> snapshots) {
        ReplicatedTable copy = Copies.of(snapshots.get(0));
        snapshots.subList(1, snapshots.size()).forEach(each -> copy.join(each, null, false));
        return copy;
    }

    private void assertRecovers(ReplicatedTable promoted) {
        assertThatThrownBy(() -> promoted.table()
                        .attach(holder(9).attach(1), NOW, RULES)
                        .answer()
                        .orElse(null))
                .isInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("lost its data");
    }

    private void assertSame(ReplicatedTable copy, ReplicatedTable original) {
        assertThat(content(copy)).isEqualTo(content(original));
    }

    /** Returns the state of a table, independent of the order of its node IDs. */
    private List<Object> content(ReplicatedTable of) {
        Snapshot snapshot = of.snapshotFor(1);
        return List.of(snapshot.kind(), snapshot.header(), Set.copyOf(snapshot.entries()));
    }
}
