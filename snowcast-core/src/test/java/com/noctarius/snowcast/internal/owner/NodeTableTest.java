// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static com.noctarius.snowcast.internal.owner.Requester.detach;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import com.noctarius.snowcast.internal.owner.RenewReply.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeTableTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final long EPOCH = NOW - 10_000_000;
    private static final long IDNOW = NOW - EPOCH;
    private static final long LEASE = 300_000;
    private static final long SKEW = 60_000;
    private static final long RECOVERY = LEASE + 2 * SKEW + 60_000;
    private static final TableRules RULES = new TableRules(LEASE, SKEW, RECOVERY, 0, 8_191);

    private static final SnowcastLayout FOUR_NODES = new SnowcastLayout(41, 2, 10);
    private static final Definition FOUR = new Definition(EPOCH, FOUR_NODES, 2, null);
    private static final Definition MANY = new Definition(EPOCH, SnowcastLayout.forMaxLogicalNodeCount(128), 1, null);

    private final NodeTable table = new NodeTable(Requester.NAME, 1);

    private static Requester holder(int number) {
        return new Requester(number, NOW, FOUR);
    }

    private Grant attach(Requester requester) {
        return attach(table, requester.attach(1), NOW, RULES);
    }

    private Grant attachAt(long now, Requester requester) {
        return attach(table, requester.at(now).attach(1), now, RULES);
    }

    private static Grant attach(NodeTable table, AttachRequest request, long now, TableRules rules) {
        return Objects.requireNonNull(table.attach(request, now, rules).answer().orElse(null));
    }

    private static Grant attach(NodeTable table, Requester requester) {
        return attach(table, requester.attach(1), NOW, RULES);
    }

    private RenewReply renew(Requester requester, Grant grant) {
        return renew(table, requester, grant);
    }

    private static RenewReply renew(NodeTable table, Requester requester, Grant grant) {
        return renew(table, requester.renew(grant), requester.now(), RULES);
    }

    private static RenewReply renew(NodeTable table, RenewRequest request, long now, TableRules rules) {
        return table.renew(request, now, rules).answer();
    }

    private static void assertRenewed(NodeTable table, Requester requester, Grant grant) {
        assertThat(renew(table, requester, grant).outcome()).isEqualTo(Outcome.RENEWED);
    }

    private List<Grant> attachAll() {
        return attachAll(NOW);
    }

    private List<Grant> attachAll(long now) {
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < FOUR_NODES.logicalNodeCount(); i++) {
            grants.add(attachAt(now, holder(i)));
        }
        return grants;
    }

    /** Sends an attach request, and returns whether it has to wait for holders of the destroyed incarnation. */
    private boolean settles(AttachRequest request, long now) {
        return table.attach(request, now, RULES).answered() == null;
    }

    /** Destroys a grant's incarnation, so long ago that a creation no longer waits for its holders. */
    private void destroy(Grant grant) {
        destroyAt(NOW - 10_000, grant);
    }

    private void destroyAt(long now, Grant grant) {
        assertThat(table.destroy(grant.incarnation(), now).answer()).isTrue();
    }

    /** Destroys a grant's incarnation, and releases the grant, as its holder does when it learns of the destruction. */
    private void destroy(Grant grant, long lastIdTime) {
        destroy(grant);
        table.detach(detach(grant, lastIdTime));
    }

    /** Makes the table lose all grants and wait for the renewals of their holders. */
    private void recover() {
        table.startOver(2, NOW, NOW + RULES.lossWaitMillis());
    }

    private static NodeTable copyOf(NodeTable original) {
        return NodeTable.of(original.header(), original.entries());
    }

    private record State(TableHeader header, List<NodeState> entries) {
        static State of(NodeTable table) {
            return new State(table.header(), List.copyOf(table.entries()));
        }
    }

    private static long firstId(Grant grant, Definition definition) {
        return definition.layout().compose(grant.floor(), grant.logicalNodeId(), 0);
    }

    @Nested
    class Attach {
        @Test
        void searchStartsAtHashOfHolder() {
            UUID holder = UUID.fromString("5b0c1d3a-1234-4abc-8def-0123456789ab");
            Grant grant = attach(new Requester(holder, NOW, MANY, 0, 0, -1));
            assertThat(grant.logicalNodeId()).isEqualTo(Math.floorMod(holder.hashCode(), 128));
        }

        @Test
        void neverUsedNodeIdsComeFirst() {
            Grant given = attach(holder(0));
            table.detach(detach(given, IDNOW));
            Set<Integer> others = new HashSet<>();
            for (int i = 1; i < 4; i++) {
                others.add(attach(holder(i)).logicalNodeId());
            }
            assertThat(others).hasSize(3).doesNotContain(given.logicalNodeId());
        }

        @Test
        void thenTheOneFreeLongest() {
            List<Grant> grants = attachAll();
            table.detach(detach(grants.get(1), IDNOW + 20));
            table.detach(detach(grants.get(2), IDNOW + 10));
            table.detach(detach(grants.get(3), IDNOW + 30));
            assertThat(attach(holder(9)).logicalNodeId())
                    .isEqualTo(grants.get(2).logicalNodeId());
        }

        @Test
        void nextGrantBeginsWhereAnAbandonedOneEnded() {
            List<Grant> grants = attachAll();
            Grant next = attachAt(NOW + LEASE, holder(9));
            assertThat(next.floor()).isEqualTo(grants.get(0).ceiling()).isEqualTo(IDNOW + LEASE);
            assertThat(next.token()).isNotEqualTo(grants.get(0).token());
        }

        @Test
        void nodeIdIsHeldUntilItsCeilingHasPassed() {
            attachAll();
            assertThatThrownBy(() -> attachAt(NOW + LEASE - 1, holder(9)))
                    .isInstanceOf(SnowcastNodeIdsExceededException.class);
        }

        @Test
        void ceilingIsTheLeaseAboveTheHoldersClock() {
            assertThat(attach(holder(1).at(NOW + 5)).ceiling()).isEqualTo(IDNOW + 5 + LEASE);
        }

        @Test
        void ceilingIsAheadOfClusterTimeByLeaseAndSkewForAHolderThatHasUsedLaterTimes() {
            long used = IDNOW + LEASE + SKEW - 1; // The holder's clock was set back afterwards.
            assertThat(attach(holder(1).havingUsed(used)).ceiling()).isEqualTo(IDNOW + SKEW + LEASE);
        }

        @Test
        void holderBehindClusterTimeIsRefusedWithBothClocks() {
            assertThat(attach(holder(1).at(NOW - SKEW)).ceiling()).isEqualTo(IDNOW + LEASE);
            assertThatThrownBy(() -> attach(holder(2).at(NOW - SKEW - 1)))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining("clock must be at most " + SKEW + " ms behind cluster time")
                    .hasMessageContaining("this clock " + Instant.ofEpochMilli(NOW - SKEW - 1))
                    .hasMessageContaining("cluster time " + Instant.ofEpochMilli(NOW))
                    .hasMessageEndingWith(": " + (SKEW + 1) + " ms");
        }

        @Test
        void shorterLeaseIsGrantedAsAsked() {
            Grant grant = attach(holder(1).asking(2_000));
            assertThat(grant.ceiling()).isEqualTo(IDNOW + 2_000);
            assertThat(grant.leaseMillis()).isEqualTo(2_000);
        }

        @Test
        void theClustersOwnLeaseMayBeAskedFor() {
            assertThat(attach(holder(1).asking(LEASE)).leaseMillis()).isEqualTo(LEASE);
        }

        @ParameterizedTest
        @ValueSource(longs = {-1, LEASE + 1})
        void leaseOutOfRangeIsRefused(long lease) {
            assertThatThrownBy(() -> attach(holder(1).asking(lease)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lease must be at most " + LEASE + " ms (snowcast.lease.millis")
                    .hasMessageContaining(": " + lease);
        }

        @Test
        void clockAheadOfClusterTimeIsRefusedWithBothClocks() {
            assertThatThrownBy(() -> attach(holder(1).at(NOW + SKEW + 1)))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining(Instant.ofEpochMilli(NOW + SKEW + 1).toString())
                    .hasMessageContaining(Instant.ofEpochMilli(NOW).toString())
                    .hasMessageEndingWith("): " + (SKEW + 1) + " ms");
            assertThat(attach(holder(1).at(NOW + SKEW)).floor()).isZero();
        }

        @Test
        void clockBehindTheFloorIsRefusedWithBothClocks() {
            table.startWait(2, NOW);
            assertThatThrownBy(() -> attach(holder(1).at(NOW - SKEW - 1)))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining(Instant.ofEpochMilli(NOW - SKEW - 1).toString())
                    .hasMessageContaining(Instant.ofEpochMilli(NOW).toString());
            assertThat(attach(holder(1).at(NOW - SKEW)).floor()).isEqualTo(IDNOW);
        }

        @Test
        void nodeIdWhoseFloorIsAheadOfTheHoldersClockIsNotChosen() {
            List<Grant> grants = attachAll();
            table.detach(detach(grants.get(0), IDNOW + 100));
            assertThatThrownBy(() -> attach(holder(9).at(NOW + 100 - SKEW)))
                    .isInstanceOf(SnowcastNodeIdsExceededException.class);
            assertThat(attach(holder(9).at(NOW + 101 - SKEW)).floor()).isEqualTo(IDNOW + 101);
        }

        @Test
        void all128NodeIdsAreUsableAndThe129thFailsUntilOneIsGivenBack() {
            Set<Integer> nodes = new HashSet<>();
            List<Grant> grants = new ArrayList<>();
            for (int i = 0; i < 128; i++) {
                grants.add(attach(holder(i).of(MANY)));
                nodes.add(grants.get(i).logicalNodeId());
            }
            assertThat(nodes).hasSize(128);
            assertThatThrownBy(() -> attach(holder(128).of(MANY)))
                    .isInstanceOf(SnowcastNodeIdsExceededException.class)
                    .hasMessageContaining("128 attached, 0 expiring")
                    .hasMessageContaining(Instant.ofEpochMilli(NOW + LEASE).toString());

            table.detach(detach(grants.get(77), IDNOW));
            assertThat(attach(holder(128).of(MANY)).logicalNodeId())
                    .isEqualTo(grants.get(77).logicalNodeId());
        }

        /**
         * A released node ID stays reserved for a while if its holder has used a time that is more than the skew ahead
         * of the clocks.
         */
        @Test
        void exhaustionSaysThatClocksWereAhead() {
            List<Grant> grants = attachAll();
            table.detach(detach(grants.get(0), IDNOW + SKEW - 1));
            table.detach(detach(grants.get(1), IDNOW + SKEW - 1));
            attach(holder(9));
            attach(holder(10));
            table.detach(detach(grants.get(2), IDNOW + SKEW + 10));
            table.detach(detach(grants.get(3), IDNOW + SKEW + 20));
            assertThatThrownBy(() -> attach(holder(11)))
                    .isInstanceOf(SnowcastNodeIdsExceededException.class)
                    .hasMessage("sequencer orders: all 4 node IDs are in use: 2 attached, 2 expiring (2 of them were"
                            + " given back by processes whose clocks were ahead, and are kept until that time has"
                            + " come: correct the clocks); unless its holder renews it, the next is free at "
                            + Instant.ofEpochMilli(NOW + SKEW + 11));
        }

        @Test
        void attachedAndExpiringNodeIdsAreCounted() {
            assertThat(table.nodeIdCounts(NOW, RULES)).isEmpty();
            List<Grant> grants = attachAll();
            assertThat(table.nodeIdCounts(NOW, RULES)).contains(new NodeIdCounts(4, 0, 4));
            TableRules ofPartOfTheLayout = new TableRules(LEASE, SKEW, RECOVERY, 1, 2);
            assertThat(table.nodeIdCounts(NOW, ofPartOfTheLayout).orElseThrow().total())
                    .isEqualTo(2);
            table.detach(detach(grants.get(1), IDNOW));
            table.detach(detach(grants.get(2), IDNOW + 50));
            assertThat(table.nodeIdCounts(NOW + 40, RULES)).contains(new NodeIdCounts(2, 1, 4));
            assertThat(table.nodeIdCounts(NOW + 51, RULES)).contains(new NodeIdCounts(2, 0, 4));

            long late = NOW + LEASE - 10;
            renew(holder(0).at(late), grants.get(0));
            assertThat(table.nodeIdCounts(late, RULES)).contains(new NodeIdCounts(2, 0, 4));
            assertThat(table.nodeIdCounts(NOW + LEASE, RULES)).contains(new NodeIdCounts(1, 0, 4));

            table.destroy(grants.get(0).incarnation(), late);
            assertThat(table.nodeIdCounts(late, RULES)).isEmpty();
        }

        @Test
        void timeIsUsedUpToTheLastCeiling() {
            assertThat(table.usedUntilMillis(RECOVERY)).isZero();
            Grant grant = attach(holder(1).asking(2_000));
            assertThat(table.usedUntilMillis(RECOVERY)).isEqualTo(grant.ceiling() + EPOCH);
            destroy(grant, IDNOW + 5);
            assertThat(table.usedUntilMillis(0)).isEqualTo(NOW + 6);
        }

        @Test
        void retriedRequestGetsTheFirstAnswerFromEveryCopy() {
            Grant first = attach(holder(1));
            Grant second = attach(table, holder(1).attach(2), NOW, RULES);
            renew(holder(1).at(NOW + 1), first);
            table.detach(detach(first, IDNOW));

            assertThat(attach(table, holder(1).attach(2), NOW, RULES)).isEqualTo(second);
            assertThat(attach(copyOf(table), holder(1).attach(2), NOW, RULES)).isEqualTo(second);
        }

        @Test
        void olderRequestIsRefused() {
            attach(table, holder(1).attach(2), NOW, RULES);
            assertThatThrownBy(() -> table.attach(holder(1).attach(1), NOW, RULES)
                            .answer()
                            .orElse(null))
                    .isInstanceOf(SnowcastStateException.class)
                    .hasMessageContaining("request 1")
                    .hasMessageContaining("request 2");
        }

        @Test
        void requestThatWasDetachedIsNotGrantedAgain() {
            table.detach(detach(attach(holder(1)), IDNOW));
            assertThatThrownBy(() -> attach(holder(1))).isInstanceOf(SnowcastStateException.class);
        }

        @Test
        void otherDefinitionIsRefusedAndLeavesTheSequencerUnharmed() {
            Grant grant = attach(holder(1));
            State before = State.of(table);
            Map<Definition, String> differences = Map.of(
                    MANY,
                    "layout 41/2/10, not layout 41/7/16; backup count 2, not backup count 1",
                    new Definition(EPOCH + 1, FOUR_NODES, 2, null),
                    "epoch " + Instant.ofEpochMilli(EPOCH) + ", not epoch " + Instant.ofEpochMilli(EPOCH + 1),
                    new Definition(EPOCH, FOUR_NODES, 1, null),
                    "backup count 2, not backup count 1",
                    new Definition(EPOCH, FOUR_NODES, 2, -1L),
                    "no startAbove, not startAbove 18446744073709551615");
            differences.forEach((other, difference) -> assertThatThrownBy(
                            () -> attach(holder(2).of(other)))
                    .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                    .hasMessage("sequencer orders is registered with another definition: " + difference
                            + " (take the same in all processes, or another name)"));
            assertThat(State.of(table)).isEqualTo(before);
            assertRenewed(table, holder(1), grant);
        }

        @Test
        void everyGrantBeginsAboveStartAboveAlsoInATableThatKnowsNothing() {
            long highest = FOUR_NODES.compose(IDNOW + SKEW - 1, 3, 1_023);
            Definition above = new Definition(EPOCH, FOUR_NODES, 2, highest);
            NodeTable lost = new NodeTable(Requester.NAME, 7);
            for (NodeTable each : List.of(table, lost)) {
                for (int i = 0; i < 4; i++) {
                    Grant grant = attach(each, holder(i).of(above));
                    assertThat(firstId(grant, above)).isGreaterThan(highest);
                    assertThat(grant.floor()).as("and no later").isEqualTo(IDNOW + SKEW);
                }
            }
        }

        @Test
        void startAboveThatLiesTooFarAheadIsRefusedWithTheEpochThatWouldDo() {
            long highest = FOUR_NODES.compose(IDNOW + SKEW, 0, 0);
            State before = State.of(table);
            Instant epoch = Instant.ofEpochMilli(NOW - IDNOW - SKEW - 1);
            assertThatThrownBy(() -> attach(holder(1).of(new Definition(EPOCH, FOUR_NODES, 2, highest))))
                    .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessage("sequencer orders: startAbove is " + highest + ". With layout 41/2/10 and epoch "
                            + Instant.ofEpochMilli(EPOCH) + " greater ones begin at "
                            + Instant.ofEpochMilli(NOW + SKEW + 1) + "; it is " + Instant.ofEpochMilli(NOW)
                            + ". Take an epoch up to " + epoch);
            assertThat(State.of(table)).isEqualTo(before);

            Definition thatDoes = new Definition(epoch.toEpochMilli(), FOUR_NODES, 2, highest);
            assertThat(firstId(attach(holder(1).of(thatDoes)), thatDoes)).isGreaterThan(highest);
        }

        @ParameterizedTest
        @ValueSource(longs = {1L << 53, Long.MAX_VALUE, Long.MIN_VALUE, -1})
        void startAboveThatNoIdOfTheLayoutReachesIsRefused(long id) {
            assertThatThrownBy(() -> attach(holder(1).of(new Definition(EPOCH, FOUR_NODES, 2, id))))
                    .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageStartingWith("sequencer orders: startAbove is " + Long.toUnsignedString(id) + ". ")
                    .hasMessageEndingWith(" greater ones begin never; it is " + Instant.ofEpochMilli(NOW)
                            + ". Take a layout of more bits, such as 41/13/10");
        }

        @Test
        void failedAttachLeavesNothing() {
            Definition future = new Definition(NOW + 1, FOUR_NODES, 1, null);
            Definition usedUp = new Definition(EPOCH, new SnowcastLayout(20, 2, 2), 1, null);
            State before = State.of(table);
            TableRules outside = new TableRules(LEASE, SKEW, RECOVERY, 4, 7);
            assertThatThrownBy(() -> attach(holder(1).of(future))).isInstanceOf(SnowcastException.class);
            assertThatThrownBy(() -> attach(holder(1).of(usedUp))).isInstanceOf(SnowcastException.class);
            assertThatThrownBy(() -> attach(holder(1).at(NOW + SKEW + 1))).isInstanceOf(SnowcastException.class);
            assertThatThrownBy(() -> attach(holder(1).asking(LEASE + 1))).isInstanceOf(RuntimeException.class);
            assertThatThrownBy(() -> attach(table, holder(1).attach(1), NOW, outside))
                    .isInstanceOf(SnowcastException.class);
            assertThat(table.definition()).isNull();
            assertThat(State.of(table)).isEqualTo(before);

            attachAll();
            State full = State.of(table);
            assertThatThrownBy(() -> attach(holder(9))).isInstanceOf(SnowcastException.class);
            assertThat(State.of(table)).isEqualTo(full);
        }

        /** A failed request is not sent to the backups, so it must not change the table. */
        @Test
        void aFurtherAttachThatIsRefusedLeavesTheGrantBefore() {
            Grant grant = attach(holder(1));
            NodeTable copy = copyOf(table);

            assertThatThrownBy(() -> attach(table, holder(1).at(NOW + SKEW + 1).attach(2), NOW, RULES))
                    .isInstanceOf(SnowcastException.class);
            assertThat(table.entries()).isEqualTo(copy.entries());
            assertRenewed(table, holder(1), grant);
        }

        @ParameterizedTest
        @ValueSource(longs = {NOW + 1, NOW + SKEW, Long.MAX_VALUE})
        void epochInTheFutureIsRefused(long epoch) {
            assertThatThrownBy(() -> attach(holder(1).of(new Definition(epoch, FOUR_NODES, 1, null))))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("future");
        }

        @Test
        void epochAtThePresentMillisecondIsNotInTheFuture() {
            assertThat(attach(holder(1).of(new Definition(NOW, FOUR_NODES, 1, null)))
                            .ceiling())
                    .isEqualTo(LEASE);
        }

        @Test
        void epochInTheFutureOfClusterTimeIsRefused() {
            Definition future = new Definition(NOW + 1, FOUR_NODES, 1, null);
            assertThatThrownBy(() -> attach(holder(1).of(future).at(NOW + SKEW)))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no ID can be made before its epoch, " + Instant.ofEpochMilli(NOW + 1)
                            + " (this clock " + Instant.ofEpochMilli(NOW + SKEW) + ", cluster time "
                            + Instant.ofEpochMilli(NOW) + ")");
        }

        @ParameterizedTest
        @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MIN_VALUE / 2, NOW - (1L << 41)})
        void epochThatUsedUpTheLayoutIsRefused(long epoch) {
            assertThatThrownBy(() -> attach(holder(1).of(new Definition(epoch, FOUR_NODES, 1, null))))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining("the time of layout 41/2/10 is used up; from epoch "
                            + Instant.ofEpochMilli(epoch)
                            + " it lasts to " + Instant.ofEpochMilli(epoch + FOUR_NODES.maxTimestamp()) + ", not to "
                            + Instant.ofEpochMilli(NOW));
        }

        @Test
        void ceilingsEndWithTheLayout() {
            Definition ending = new Definition(NOW - (1L << 41) + 10, FOUR_NODES, 1, null);
            Requester requester = holder(1).of(ending);
            Grant grant = attach(requester);
            assertThat(grant.ceiling()).isEqualTo(1L << 41);
            assertThat(renew(requester.at(NOW + 9), grant).ceiling()).isEqualTo(1L << 41);
        }

        @Test
        void nodeIdWhoseLastMillisecondIsUsedIsNotGranted() {
            Definition ending = new Definition(NOW - FOUR_NODES.maxTimestamp(), new SnowcastLayout(41, 1, 10), 1, null);
            for (int number = 1; number <= 2; number++) {
                table.detach(detach(attach(holder(number).of(ending)), FOUR_NODES.maxTimestamp()));
            }
            assertThatThrownBy(() -> attach(holder(3).of(ending)))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining(
                            "it lasts to " + Instant.ofEpochMilli(NOW) + ", not to " + Instant.ofEpochMilli(NOW + 1));
        }

        @Test
        void onlyNodeIdsInRangeAreGranted() {
            TableRules two = new TableRules(LEASE, SKEW, RECOVERY, 1, 2);
            attachAll().forEach(grant -> table.detach(detach(grant, IDNOW)));
            Set<Integer> nodes = new HashSet<>();
            nodes.add(attach(table, holder(8).attach(1), NOW, two).logicalNodeId());
            nodes.add(attach(table, holder(9).attach(1), NOW, two).logicalNodeId());
            assertThat(nodes).containsExactlyInAnyOrder(1, 2);
            assertThatThrownBy(() -> attach(table, holder(10).attach(1), NOW, two))
                    .isInstanceOf(SnowcastNodeIdsExceededException.class)
                    .hasMessageContaining("all 2")
                    .hasMessageContaining("2 attached, 0 expiring");
        }

        @Test
        void neverUsedNodeIdsAreSoughtInTheRange() {
            TableRules last = new TableRules(LEASE, SKEW, RECOVERY, 3, 8_191);
            assertThat(attach(table, holder(1).attach(1), NOW, last).logicalNodeId())
                    .isEqualTo(3);
        }

        @Test
        void rangeOutsideTheLayoutIsRefused() {
            TableRules outside = new TableRules(LEASE, SKEW, RECOVERY, 4, 7);
            assertThatThrownBy(() -> attach(table, holder(1).attach(1), NOW, outside))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining("snowcast.node.id.range=4-7");
        }
    }

    @Nested
    class DurableHighWaterMark {
        @Test
        void noGrantReachesBeyondIt() {
            TableRules rules = RULES.withDurableUntil(NOW + 1_000, "");
            Grant grant = attach(table, holder(1).attach(1), NOW, rules);
            assertThat(grant.ceiling()).isEqualTo(IDNOW + 1_000);

            assertThat(renew(table, holder(1).at(NOW + 900).renew(grant), NOW + 900, rules)
                            .ceiling())
                    .isEqualTo(IDNOW + 1_000);
            assertThat(renew(
                                    table,
                                    holder(1).at(NOW + 2_000).renew(grant),
                                    NOW + 2_000,
                                    RULES.withDurableUntil(NOW + 5_000, ""))
                            .ceiling())
                    .isEqualTo(IDNOW + 5_000);
        }

        @Test
        void whatIsDurableNoMoreAtPresentIsNotGranted() {
            assertThatThrownBy(() -> attach(table, holder(1).attach(1), NOW, RULES.withDurableUntil(NOW, "disk full")))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining(
                            "the high-water mark is reserved up to " + Instant.ofEpochMilli(NOW) + " only")
                    .hasMessageEndingWith("): disk full");
            attach(table, holder(1).attach(1), NOW, RULES.withDurableUntil(NOW + 1, ""));
        }

        @Test
        void nothingIsGrantedFromWhatOthersUsed() {
            table.detach(detach(attachAll().get(0), IDNOW + 500));
            assertThatThrownBy(() -> attach(table, holder(9).attach(1), NOW, RULES.withDurableUntil(NOW + 501, "")))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining("the high-water mark is reserved");
        }
    }

    @Nested
    class RenewAndDetach {
        private final Grant grant = attach(holder(1));

        @Test
        void renewalNeverLowersTheCeiling() {
            assertThat(renew(holder(1).at(NOW - 1_000), grant))
                    .isEqualTo(new RenewReply(Outcome.RENEWED, grant.ceiling()));
        }

        @Test
        void clockAheadIsNotRefusedButBounded() {
            RenewReply reply = renew(table, holder(1).at(NOW + 10 * SKEW).renew(grant), NOW, RULES);
            assertThat(reply).isEqualTo(new RenewReply(Outcome.RENEWED, IDNOW + SKEW + LEASE));
        }

        @Test
        void ownerWithABadClockStopsNobody() {
            for (long clusterNow : new long[] {EPOCH - 10 * LEASE, NOW + 10 * LEASE}) {
                assertThat(renew(table, holder(1).renew(grant), clusterNow, RULES)
                                .outcome())
                        .isEqualTo(Outcome.RENEWED);
            }
        }

        @Test
        void renewalAfterTheCeilingIsGrantedWhileNobodyFollowed() {
            assertThat(renew(holder(1).at(NOW + 3 * LEASE), grant).ceiling()).isEqualTo(IDNOW + 4 * LEASE);
        }

        @Test
        void renewalThatComesAfterTheDetachIsRefused() {
            table.detach(detach(grant, IDNOW));
            assertThat(renew(holder(1), grant)).isEqualTo(RenewReply.REFUSED);
        }

        @ParameterizedTest
        @ValueSource(longs = {IDNOW + LEASE, Long.MAX_VALUE})
        void detachFreesNothingAboveTheCeiling(long last) {
            table.detach(detach(grant, last));
            assertThat(table.entries().get(0).nextFloor()).isEqualTo(grant.ceiling());
        }

        @Test
        void detachFreesNothingBelowTheFloor() {
            List.of(2, 3, 4).forEach(number -> attach(holder(number)));
            table.detach(detach(grant, IDNOW + 7));
            Grant second = attach(holder(9));
            assertThat(second.floor()).isEqualTo(IDNOW + 8);
            table.detach(detach(second, -1));
            assertThat(attach(holder(10)).floor()).isEqualTo(IDNOW + 8);
        }

        /** From any grant of the table, a sender can guess everything in a token except the holder. */
        @Test
        void aTokenOfAnotherHolderIsNotCurrent() {
            Token guessed = new Token(grant.token().tableId(), grant.token().sequence(), new UUID(7, 7));
            Grant stolen = new Grant(grant.incarnation(), grant.logicalNodeId(), guessed, 0, grant.ceiling(), LEASE);
            assertThat(table.detach(detach(stolen, IDNOW)).answer()).isFalse();
            assertThat(renew(holder(1), stolen)).isEqualTo(RenewReply.REFUSED);
            assertThat(table.detach(detach(grant, IDNOW)).answer()).isTrue();
        }

        @Test
        void aStaleTokenIsNeitherRenewedNorDetached() {
            Grant stale = new Grant(
                    grant.incarnation(),
                    grant.logicalNodeId(),
                    new Token(1, 99, grant.token().holder()),
                    0,
                    0,
                    0);
            State before = State.of(table);
            assertThat(renew(holder(1), stale)).isEqualTo(RenewReply.REFUSED);
            table.detach(detach(stale, IDNOW));
            assertThat(State.of(table)).isEqualTo(before);
        }

        @Test
        void detachTwiceChangesNothingMore() {
            table.detach(detach(grant, IDNOW + 7));
            State before = State.of(table);
            table.detach(detach(grant, IDNOW + 3));
            assertThat(State.of(table)).isEqualTo(before);
        }
    }

    @Nested
    class Destroy {
        private final Requester first = holder(1);
        private final Grant grant = attach(first);

        @Test
        void oneUnreachedHolderOutweighsAllOthers() {
            Grant other = attach(holder(2));
            destroy(other, IDNOW);
            assertThat(table.highestOfDestroyed).isEqualTo(FOUR_NODES.compose(grant.ceiling() - 1, 3, 1_023));
        }

        @Test
        void holderThatAsksAgainVouchesForAGrantThatItNeverReceived() {
            destroy(grant, IDNOW + 5);
            Grant second = attach(holder(2));
            destroy(second);

            assertThat(table.attach(holder(2).attach(1), NOW, RULES).answer().orElse(null))
                    .as("a late copy of the request that the destroyed incarnation has answered")
                    .isNull();
            assertThat(attach(table, holder(2).havingUsed(IDNOW + 9).attach(2), NOW, RULES)
                            .floor())
                    .isEqualTo(IDNOW + 10);
        }

        @Test
        void creationWaitsForHoldersThatMayStillGiveBack() {
            destroyAt(NOW, grant);
            assertThat(settles(holder(2).attach(1), NOW)).isTrue();
            assertThat(settles(holder(2).attach(1), NOW + 9_999)).isTrue();
            table.detach(detach(grant, IDNOW));
            assertThat(settles(holder(2).attach(1), NOW)).isFalse();
        }

        @Test
        void creationWaitsForTenSecondsAtMost() {
            destroyAt(NOW, grant);
            assertThatThrownBy(() -> settles(holder(2).attach(1), NOW + 10_000))
                    .as("all of the grant counts as used")
                    .isInstanceOf(SnowcastUnavailableException.class);
        }

        @Test
        void twoHoldersWhoseGrantsGotLostDoNotWaitForEachOther() {
            attach(holder(2));
            destroyAt(NOW, grant);

            for (int i = 1; i <= 2; i++) {
                assertThat(table.attach(holder(i).attach(1), NOW, RULES).answer())
                        .as("a late copy of the request that the destroyed incarnation has answered")
                        .isEmpty();
            }
            assertThat(settles(holder(1).attach(2), NOW)).isTrue();
            assertThat(attach(table, holder(2).havingUsed(IDNOW + 9).attach(2), NOW, RULES)
                            .floor())
                    .isEqualTo(IDNOW + 10);
            assertThat(settles(holder(1).attach(2), NOW)).isFalse();
        }

        @Test
        void creationThatIsRefusedLeavesTheGrantOfItsHolderAsItWas() {
            destroyAt(NOW, grant);
            State before = State.of(table);
            assertThatThrownBy(() -> attach(table, holder(1).at(NOW + SKEW + 1).attach(2), NOW, RULES))
                    .isInstanceOf(SnowcastException.class);
            assertThat(table.highestOfDestroyed).isEqualTo(before.header().highestOfDestroyed());
            assertThat(Objects.requireNonNull(table.entries.get(grant.logicalNodeId()))
                            .leased())
                    .isTrue();
        }

        @Test
        void moreThanTheGrantCountsAsTheGrant() {
            destroy(grant, Long.MAX_VALUE);
            assertThat(FOUR_NODES.timestampValue(table.highestOfDestroyed)).isEqualTo(grant.ceiling() - 1);
        }

        @Test
        void withoutAWordOfItsHolderAllOfAGrantCountsAsUsed() {
            destroy(grant);
            assertThatThrownBy(() -> attach(holder(2))).isInstanceOf(SnowcastIllegalStateException.class);
            assertThat(attachAt(NOW + LEASE, holder(2)).floor()).isEqualTo(grant.ceiling());
            assertThat(table.entries()).hasSize(1);
        }

        @Test
        void idsOfTheLastHalfOfTheLayoutsTimeCountUnsigned() {
            Definition old = new Definition(NOW - (1L << 40) - 1_000, SnowcastLayout.DEFAULT, 1, null);
            NodeTable negative = new NodeTable(Requester.NAME, 1);
            Grant last = attach(negative, holder(1).of(old));
            negative.destroy(last.incarnation(), NOW);
            Grant next = attach(negative, holder(2).of(old).at(NOW + LEASE).attach(1), NOW + LEASE, RULES);
            assertThat(next.floor()).isEqualTo(last.ceiling());
        }

        @Test
        void grantIsGivenBackOnce() {
            destroy(grant, IDNOW);
            table.detach(detach(grant, IDNOW + 50));
            assertThat(attach(holder(2)).floor()).isEqualTo(IDNOW + 1);
        }

        @Test
        void everyIdOfANewIncarnationIsGreaterThanAnyOfTheOld() {
            Random random = new Random(42);
            for (int round = 0; round < 500; round++) {
                NodeTable lives = new NodeTable(Requester.NAME, 1);
                Grant old = attach(lives, randomHolder(random).attach(1), NOW, RULES);
                lives.destroy(old.incarnation(), NOW);
                lives.detach(detach(old, IDNOW + random.nextInt(1_000)));
                long highest = lives.highestOfDestroyed;
                Requester second = randomHolder(random);
                try {
                    Grant next = attach(lives, second.attach(1), NOW, RULES);
                    assertThat(Long.compareUnsigned(firstId(next, second.definition()), highest))
                            .isPositive();
                } catch (SnowcastIllegalStateException e) {
                    long first = second.definition().layout().timestampValue(highest) + 1;
                    assertThat(first).isGreaterThan(NOW - second.definition().epochOffset() + SKEW);
                }
            }
        }

        /**
         * A holder may use its granted time until it receives the destruction, even if the next incarnation has already
         * issued greater IDs.
         */
        @Test
        void timeIsUsedForAsLongAsHoldersOfFormerIncarnationsMayGoOn() {
            Random random = new Random(43);
            int higherThoughEarlier = 0;
            for (int round = 0; round < 500; round++) {
                NodeTable each = new NodeTable(Requester.NAME, 1);
                Requester unreached = randomHolder(random);
                Grant old = attach(each, unreached);
                each.destroy(old.incarnation(), NOW - 10_000);
                try {
                    Grant next = attach(each, randomHolder(random));
                    each.detach(detach(next, next.floor()));
                } catch (SnowcastIllegalStateException e) {
                    continue; // IDs of the present time would not be greater than the former IDs.
                }
                long usedByOldMillis = old.ceiling() + unreached.definition().epochOffset();
                assertThat(each.usedUntilMillis(RECOVERY)).isGreaterThanOrEqualTo(usedByOldMillis);
                higherThoughEarlier += each.usedUntilMillis(0) < usedByOldMillis ? 1 : 0;
            }
            assertThat(higherThoughEarlier).isPositive();
        }

        @Test
        void ofADestroyedIncarnationTheHighestIdIsKept() {
            Grant second = attach(holder(2));
            destroyAt(NOW, grant);
            long highest = table.highestOfDestroyed;
            NodeTable copy = NodeTable.of(table.header(), List.of());
            assertThat(copy.usedUntilMillis(RECOVERY)).isEqualTo(table.usedUntilMillis(RECOVERY));

            table.forgetDestroyed(NOW + 1);
            assertThat(table.entries()).hasSize(2);
            table.detach(detach(grant, IDNOW));
            table.forgetDestroyed(NOW + 1);
            assertThat(table.entries()).hasSize(2);
            table.detach(detach(second, IDNOW + 1));
            long used = table.usedUntilMillis(RECOVERY);
            table.forgetDestroyed(NOW + 1);

            assertThat(table.entries()).isEmpty();
            assertThat(table.usedUntilMillis(RECOVERY)).isEqualTo(used);
            assertThat(table.highestOfDestroyed).isLessThan(highest);
            assertThat(attach(holder(3)).floor()).isEqualTo(IDNOW + 2);
        }

        private Requester randomHolder(Random random) {
            int nodeBits = 1 + random.nextInt(13);
            SnowcastLayout layout = new SnowcastLayout(41, nodeBits, random.nextInt(Math.min(20, 24 - nodeBits)));
            long epoch = random.nextBoolean() ? EPOCH : NOW - random.nextLong(1L << 40);
            return new Requester(random.nextInt(1 << 20), NOW, new Definition(epoch, layout, 1, null));
        }

        @Test
        void newIncarnationTooFarAheadIsRefusedWithBothValues() {
            long highest = FOUR_NODES.compose(grant.ceiling() - 1, 3, 1_023);
            destroy(grant);
            Definition fewerBits = new Definition(EPOCH, new SnowcastLayout(41, 1, 1), 1, null);
            assertThatThrownBy(() -> attach(holder(2).of(fewerBits)))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining(Long.toUnsignedString(highest))
                    .hasMessageContaining("greater ones begin at " + Instant.ofEpochMilli(EPOCH + (highest >>> 2) + 1));
            assertThat(table.definition()).isNull();
        }

        /**
         * The holder's clock is ahead, so its grant ends more than a lease ahead of cluster time. The refusal is
         * temporary, because cluster time advances.
         */
        @Test
        void newIncarnationWaitsForAGrantThatReachedAheadOfALease() {
            Grant ahead = attach(table, holder(2).at(NOW + SKEW).attach(1), NOW, RULES);
            assertThat(ahead.ceiling()).isGreaterThan(IDNOW + LEASE);
            destroy(ahead);
            assertThatThrownBy(() -> attach(holder(3))).isExactlyInstanceOf(SnowcastUnavailableException.class);
        }

        @Test
        void floorOfADestroyedIncarnationDoesNotCountInAnotherEpoch() {
            destroy(grant, IDNOW);
            Grant second = attach(holder(2));
            destroy(second, IDNOW + 1);
            Definition later = new Definition(NOW - 1_000, SnowcastLayout.DEFAULT, 1, null);

            Grant third = attach(holder(3).of(later));
            assertThat(third.floor()).isLessThan(1_000 + SKEW);
        }

        /**
         * The request that creates the next incarnation may report the last timestamp that its holder has used in the
         * former incarnation.
         */
        @Test
        void whatIsGivenBackCountsAlsoInAnIncarnationThatAHolderOfTheFormerOneBegan() {
            destroy(grant);
            Grant second = attach(table, holder(1).havingUsed(IDNOW).attach(2), NOW, RULES);
            destroy(second, IDNOW + 1);
            assertThat(attach(holder(3)).floor()).isEqualTo(IDNOW + 2);
        }

        @Test
        void idsThatTheIncarnationBeforeMayHaveIssuedCountOn() {
            destroy(grant, IDNOW + 50);
            Grant second = attach(holder(2));
            destroy(second, -1);
            assertThat(attach(holder(3)).floor()).isEqualTo(IDNOW + 51);
        }

        @Test
        void destroyedHolderCanNeitherRenewNorAttach() {
            destroy(grant, IDNOW);
            Grant second = attach(holder(2));
            State before = State.of(table);

            assertThat(renew(first, grant)).isEqualTo(RenewReply.DESTROYED);
            assertThat(table.attach(first.in(grant.incarnation()).attach(2), NOW, RULES)
                            .answer()
                            .orElse(null))
                    .isNull();
            table.detach(detach(grant, 0));
            assertThat(table.destroy(grant.incarnation(), NOW).answer())
                    .as("as it was answered before")
                    .isTrue();
            assertThat(State.of(table)).isEqualTo(before);
            assertRenewed(table, holder(2), second);
        }

        @Test
        void detachOfAnotherGrantLowersNothing() {
            Grant later = attach(table, holder(1).attach(2), NOW, RULES);
            destroy(later);
            State before = State.of(table);
            table.detach(detach(grant, 0));
            assertThat(State.of(table)).isEqualTo(before);
        }

        @Test
        void retriedDestroyGetsTheSameAnswerAndForgetsNothing() {
            destroy(grant, IDNOW + 5);
            State before = State.of(table);
            destroy(grant);
            assertThat(State.of(table)).isEqualTo(before);
            assertThat(attach(holder(2)).floor()).isEqualTo(IDNOW + 6);
        }

        @Test
        void unknownIncarnationIsNotDestroyed() {
            assertThat(table.destroy(grant.incarnation() + 1, NOW).answer()).isFalse();
            assertThat(new NodeTable("other", 1).destroy(0, NOW).answer()).isFalse();
            assertRenewed(table, first, grant);
        }

        @Test
        void incarnationsRiseAlsoWhenClusterTimeFalls() {
            destroy(grant, 0);
            Grant second = attachAt(NOW - 1_000, holder(2));
            assertThat(second.incarnation()).isGreaterThan(grant.incarnation());
        }
    }

    @Nested
    class Recovery {
        private static final long UNTIL = NOW + RECOVERY;

        private final Grant before = attach(holder(1));

        /** The table of a partition that has lost its data. */
        private final NodeTable lost = lost();

        private NodeTable lost() {
            NodeTable lost = new NodeTable(Requester.NAME, 1);
            lost.startWait(2, UNTIL);
            return lost;
        }

        @Test
        void nobodyIsAttachedBeforeTheWaitIsOver() {
            recover();
            assertThatThrownBy(() -> attachAt(UNTIL - 1, holder(2)))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining(Instant.ofEpochMilli(UNTIL).toString());
            assertThat(attachAt(UNTIL, holder(2)).floor()).isEqualTo(UNTIL - EPOCH);
        }

        @Test
        void newTableOfALostPartitionWaits() {
            assertThatThrownBy(() -> attach(lost, holder(2))).isInstanceOf(SnowcastIllegalStateException.class);
            Grant grant = attach(lost, holder(2).at(UNTIL).in(77).attach(1), UNTIL, RULES);
            assertThat(grant.floor()).isEqualTo(UNTIL - EPOCH);
            assertThat(grant.incarnation()).isEqualTo(77);
        }

        /** The incarnation began while all clocks were ahead. Since then they were corrected, and all data was lost. */
        @Test
        void anIncarnationThatCannotHaveBegunYetCountsAsUnknown() {
            for (long incarnation : new long[] {UNTIL + SKEW + 1, Long.MAX_VALUE}) {
                Grant grant = attach(lost, holder(2).at(UNTIL).in(incarnation).attach(incarnation), UNTIL, RULES);
                assertThat(grant.incarnation()).isEqualTo(UNTIL);
            }
        }

        @Test
        void grantOfTheLostTableIsTakenOver() {
            RenewReply reply = renew(lost, holder(1).at(NOW + 10), before);
            assertThat(reply).isEqualTo(new RenewReply(Outcome.RENEWED, IDNOW + 10 + LEASE));
            assertThat(lost.definition()).isEqualTo(FOUR);
            assertThat(lost.destroy(before.incarnation(), NOW).answer()).isTrue();
        }

        @Test
        void destructionIsAnsweredWhenNoHolderCanBringTheIncarnationBack() {
            long incarnation = before.incarnation();
            assertThat(lost.destroy(incarnation, UNTIL - 1).answered()).isNull();
            assertThat(lost.destroy(incarnation, UNTIL).answer()).isFalse();
        }

        @Test
        void sequencerIsReportedAsMissingOnlyWhenNoHolderCanBringItBack() {
            assertThat(lost.find(UNTIL - 1).answered()).isNull();
            assertThat(lost.find(UNTIL).answer()).isEmpty();
            assertThat(table.find(NOW).answer()).contains(FOUR);
        }

        @Test
        void lateCopyOfTheRequestForATakenOverGrantFreesNothing() {
            recover();
            renew(holder(1), before);
            renew(holder(1).at(UNTIL), before);
            Requester late = holder(1).at(UNTIL).in(before.incarnation());
            assertThat(attach(table, late.attach(1), UNTIL, RULES).logicalNodeId())
                    .isNotEqualTo(before.logicalNodeId());
            assertRenewed(table, late, before);
        }

        @Test
        void grantOfThePresentEpochIsNotTakenOver() {
            table.startOver(1, NOW, NOW + RULES.lossWaitMillis());
            assertThat(renew(holder(1), before)).isEqualTo(RenewReply.REFUSED);
        }

        @Test
        void nothingIsTakenOverAfterTheWait() {
            recover();
            assertThat(renew(table, holder(1).renew(before, UNTIL - EPOCH + LEASE), UNTIL, RULES))
                    .isEqualTo(RenewReply.REFUSED);
        }

        @Test
        void grantOfALaterIncarnationThanTheDestroyedOneIsTakenOverDuringTheWait() {
            destroy(before);
            recover();
            Grant later = forged(before.logicalNodeId(), before.incarnation() + 1);
            long ceiling = UNTIL - EPOCH + LEASE;
            assertThat(renew(table, holder(1).renew(later, ceiling), UNTIL, RULES))
                    .isEqualTo(RenewReply.DESTROYED);
            assertThat(renew(table, holder(1).renew(later, ceiling), UNTIL - 1, RULES)
                            .outcome())
                    .isEqualTo(Outcome.RENEWED);
        }

        @Test
        void grantOfASequencerWhoseEpochIsThePresentMillisecondIsTakenOver() {
            Requester requester = new Requester(1, NOW, new Definition(NOW, FOUR_NODES, 2, null));
            assertThat(renew(lost, requester.renew(before, SKEW + 1), NOW, RULES)
                            .outcome())
                    .isEqualTo(Outcome.RENEWED);
        }

        /**
         * The change of the renewal that restores the name may have reached some replicas only; then the sender repeats
         * the request.
         */
        @Test
        void allReplicasHearOfLaterRenewalsOfARestoredGrantToo() {
            Requester requester = holder(1);
            assertThat(lost.renew(requester.renew(before), NOW, RULES).isForAll())
                    .isTrue();
            assertThat(lost.renew(requester.renew(before), NOW + 1, RULES).isForAll())
                    .isTrue();
            assertThat(lost.renew(requester.renew(before), UNTIL + RULES.lossWaitMillis() - 1, RULES)
                            .isForAll())
                    .isTrue();
            assertThat(lost.renew(requester.renew(before), UNTIL + RULES.lossWaitMillis(), RULES)
                            .isForAll())
                    .isFalse();
        }

        @Test
        void nodeIdIsTakenOverOnce() {
            recover();
            renew(holder(1), before);
            Grant rival = new Grant(
                    before.incarnation(),
                    before.logicalNodeId(),
                    new Token(1, 50, new UUID(5, 6)),
                    0,
                    before.ceiling(),
                    LEASE);
            assertThat(renew(holder(2), rival)).isEqualTo(RenewReply.REFUSED);
        }

        @Test
        void grantThatMayHaveBeenFollowedIsNotTakenOver() {
            recover();
            assertThat(renew(table, holder(1).renew(before, IDNOW + SKEW), NOW, RULES))
                    .isEqualTo(RenewReply.REFUSED);
            assertThat(renew(table, holder(1).renew(before, IDNOW + SKEW + 1), NOW, RULES)
                            .outcome())
                    .isEqualTo(Outcome.RENEWED);
        }

        /** If the table accepted a forged grant, its node ID could stay reserved forever. */
        @Test
        void whatNobodyCanHaveGrantedIsNotTakenOver() {
            long latest = IDNOW + SKEW + LEASE + RECOVERY;
            TableRules few = new TableRules(LEASE, SKEW, RECOVERY, 1, 2);
            Definition ofTheFuture = new Definition(NOW + 1, FOUR_NODES, 2, null);
            assertThat(renew(lost, holder(1).renew(before, latest + 1), NOW, RULES))
                    .isEqualTo(RenewReply.REFUSED);
            assertThat(renew(lost, holder(1).renew(before, Long.MAX_VALUE), NOW, RULES))
                    .isEqualTo(RenewReply.REFUSED);
            assertThat(renew(lost, new Requester(1, NOW, ofTheFuture).renew(before, latest), NOW, RULES))
                    .isEqualTo(RenewReply.REFUSED);
            for (int node : new int[] {-5, 4, 8_191, 100_000}) {
                assertThat(renew(lost, holder(1).renew(forged(node, before.incarnation()), latest), NOW, RULES))
                        .isEqualTo(RenewReply.REFUSED);
            }
            for (int node : new int[] {0, 3}) {
                assertThat(renew(lost, holder(1).renew(forged(node, before.incarnation()), latest), NOW, few))
                        .isEqualTo(RenewReply.REFUSED);
            }
            assertThat(renew(lost, holder(1).renew(forged(1, NOW + SKEW + 1), latest), NOW, RULES))
                    .isEqualTo(RenewReply.REFUSED);
            assertThat(lost.definition()).isNull();

            assertThat(renew(lost, holder(1).renew(forged(1, NOW + SKEW), latest), NOW, few)
                            .outcome())
                    .isEqualTo(Outcome.RENEWED);
        }

        /** If the table accepted the grant, the highest ID of its incarnation would overflow, and count as a low ID. */
        @Test
        void noGrantBeyondTheLayoutIsTakenOver() {
            long end = FOUR_NODES.maxTimestamp() + 1;
            Definition ending = new Definition(NOW - end + SKEW + 10, FOUR_NODES, 2, null);
            Definition ofAges = new Definition(Long.MIN_VALUE, FOUR_NODES, 2, null);
            assertThat(renew(lost, new Requester(1, NOW, ending).renew(before, end + 1), NOW, RULES))
                    .isEqualTo(RenewReply.REFUSED);
            assertThat(renew(lost, new Requester(1, NOW, ofAges).renew(before, Long.MIN_VALUE), NOW, RULES))
                    .isEqualTo(RenewReply.REFUSED);
            assertThat(lost.definition()).isNull();

            assertThat(renew(lost, new Requester(1, NOW, ending).renew(before, end), NOW, RULES)
                            .outcome())
                    .isEqualTo(Outcome.RENEWED);
        }

        private Grant forged(int logicalNodeId, long incarnation) {
            return new Grant(incarnation, logicalNodeId, before.token(), before.floor(), before.ceiling(), LEASE);
        }

        @Test
        void successorOfATakenOverGrantBeginsAboveTheWait() {
            // The renewal may be a late one. Before the loss, its holder may have detached, and another holder, which
            // the table has forgotten, may have got the node ID. The next grant must therefore not begin before the end
            // of the wait.
            recover();
            renew(holder(1), before);
            table.detach(detach(before, IDNOW));
            List<Grant> grants = attachAll(UNTIL);
            assertThat(grants).allSatisfy(grant -> assertThat(grant.floor()).isEqualTo(UNTIL - EPOCH));
        }

        /**
         * The table no longer knows which request led to the grant that it takes over. A late copy of this request must
         * therefore not release the grant.
         */
        @Test
        void lateRequestOfBeforeTheLossGivesNothingBackOfADestroyedIncarnation() {
            AttachRequest late = holder(1).attach(1);
            recover();
            renew(holder(1), before);
            long ceiling = renew(holder(1).at(UNTIL + 5), before).ceiling();
            destroyAt(UNTIL + 5, before);
            settles(late, UNTIL + 5);
            assertThat(attachAt(EPOCH + ceiling, holder(2)).floor()).isGreaterThanOrEqualTo(ceiling);
        }

        @Test
        void noGrantBeginsFurtherThanTheSkewAheadOfClusterTime() {
            // After a loss the table takes over a grant that ends more than the skew ahead of cluster time, because
            // such a grant must be the last one of its node ID. This would not hold if a new grant could begin further
            // ahead than the skew. The grant before the new one, here of a destroyed incarnation, could then end more
            // than the skew ahead, too.
            destroy(before);
            long early = NOW + LEASE - SKEW - 1;
            assertThatThrownBy(() -> attach(table, holder(2).at(early + SKEW).attach(1), early, RULES))
                    .isInstanceOf(SnowcastIllegalStateException.class);
        }

        @Test
        void detachOfAGrantBeforeTheLossDoesNotLowerWhatWasGrantedSince() {
            lost.renew(holder(1).renew(before), NOW, RULES);
            Grant later = attach(lost, holder(2).at(UNTIL).attach(1), UNTIL, RULES);
            lost.destroy(before.incarnation(), UNTIL);
            lost.detach(detach(before, IDNOW));

            long end = later.ceiling() + EPOCH;
            assertThat(attach(lost, holder(3).at(end).attach(1), end, RULES).floor())
                    .isEqualTo(later.ceiling());
        }

        @Test
        void tombstoneOutlivesTheLoss() {
            destroy(before);
            recover();
            assertThat(renew(holder(1), before)).isEqualTo(RenewReply.DESTROYED);
            assertThat(table.definition()).isNull();
        }
    }
}
