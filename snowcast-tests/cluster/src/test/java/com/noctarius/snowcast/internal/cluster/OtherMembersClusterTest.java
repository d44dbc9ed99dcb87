// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static com.noctarius.snowcast.internal.cluster.Members.service;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.cluster.impl.ClusterServiceImpl;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.server.PacketFilter;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.test.Accessors;
import com.hazelcast.test.PacketFiltersUtil;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.tests.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which answers of other members an owner needs before it grants node IDs. */
@Tag("integration")
class OtherMembersClusterTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
    private static final int NAMES = 1_000;

    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory(4);

    @TempDir
    private Path directory;

    private HazelcastInstance start() {
        return start(Members.config());
    }

    private HazelcastInstance startWithMark(String of) {
        return start(withMark(of));
    }

    private Config withMark(String of) {
        return Members.config(
                "snowcast.high.water.mark.dir", directory.resolve(of).toString());
    }

    private HazelcastInstance startWithQuorum(String markOf) {
        return start(withMark(markOf)
                .addSplitBrainProtectionConfig(new SplitBrainProtectionConfig("quorum", true).setMinimumClusterSize(2))
                .setProperty("snowcast.split.brain.protection.name", "quorum"));
    }

    private HazelcastInstance start(Config config) {
        config.setProperty("hazelcast.operation.call.timeout.millis", "3000");
        return factory.newHazelcastInstance(config);
    }

    /** Drops the answers of {@code elder} to members that join after this call. */
    private void answerNoneThatJoins(HazelcastInstance elder) {
        Set<Address> present = factory.getAllHazelcastInstances().stream()
                .map(member -> member.getCluster().getLocalMember().getAddress())
                .collect(Collectors.toSet());
        PacketFiltersUtil.setCustomFilter(
                elder,
                (packet, to) -> packet.isFlagRaised(Packet.FLAG_OP_RESPONSE) && !present.contains(to)
                        ? PacketFilter.Action.DROP
                        : PacketFilter.Action.ALLOW);
    }

    private static @Nullable HighWaterMark startMark(HazelcastInstance member) {
        return service(member).otherMembers.startMark();
    }

    private static String nameOwnedBy(HazelcastInstance member) {
        return IntStream.range(0, NAMES)
                .mapToObj(number -> "orders-" + number)
                .filter(name -> Replicas.isOwner(
                        member, member.getPartitionService().getPartition(name).getPartitionId()))
                .findFirst()
                .orElse("");
    }

    /** A majority has confirmed the new owner, but the member that has not answered may have a longer lease. */
    @Test
    void ownerGrantsNothingBeforeItKnowsHowAllOlderMembersAreSetUp() {
        HazelcastInstance first = start();
        HazelcastInstance elder = start();
        start();
        awaitSequencer(first, "before");
        answerNoneThatJoins(elder);
        HazelcastInstance joined = start();
        Await.until("partitions", () -> !nameOwnedBy(joined).isEmpty());
        Address unknown = elder.getCluster().getLocalMember().getAddress();
        String name = nameOwnedBy(joined);

        assertThatThrownBy(() -> SnowcastSystem.snowcast(first).createSequencer(name, EPOCH))
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasMessageContaining("it is not known yet how Member " + unknown)
                .hasMessageEndingWith("is set up");

        PacketFiltersUtil.resetPacketFiltersFrom(elder);
        awaitSequencer(first, name);
    }

    /** Tries again, because a busy machine may need more than the short time-out of these members. */
    private static void awaitSequencer(HazelcastInstance on, String name) {
        Await.until("sequencer " + name, () -> {
            try {
                return SnowcastSystem.snowcast(on).createSequencer(name, EPOCH) != null;
            } catch (SnowcastUnavailableException e) {
                return false;
            }
        });
    }

    /** While a member joins, it lists only itself, and the other members' marks may be higher than its own. */
    @Test
    void noBeginningIsDecidedBeforeTheMemberHasJoinedACluster() {
        HazelcastInstance member = startWithMark("first");
        Await.until("the mark with which the cluster starts", () -> startMark(member) != null);
        NodeEngineImpl nodeEngine = Accessors.getNodeEngineImpl(member);
        ((ClusterServiceImpl) nodeEngine.getClusterService()).reset();
        service(member).reset();

        assertThat(startMark(member)).isNull();
    }

    /** The cluster's grants begin above the older member's mark, which is higher than the joining member's. */
    @Test
    void noBeginningIsDecidedBeforeAllOlderMembersHaveAnswered() {
        long untilMillis = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        Marks.leave(directory.resolve("first"), "other", untilMillis);
        HazelcastInstance first = startWithMark("first");
        Await.until("the mark with which the cluster starts", () -> startMark(first) != null);
        answerNoneThatJoins(first);
        HazelcastInstance joined = startWithMark("second");
        assertThat(joined.getCluster().getMembers()).hasSize(2);

        assertThat(startMark(joined)).isNull();

        PacketFiltersUtil.resetPacketFiltersFrom(first);
        Await.until("the mark with which the cluster starts", () -> startMark(joined) != null);
        assertThat(startMark(joined)).isEqualTo(startMark(first));
    }

    /** Another quorum may still grant node IDs, and its high-water marks are unknown to a member without a quorum. */
    @Test
    void noBeginningIsDecidedBelowTheQuorum() {
        HazelcastInstance first = startWithQuorum("first");
        assertThat(startMark(first)).isNull();
        long untilMillis = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        Marks.leave(directory.resolve("second"), "other", untilMillis);

        CompletableFuture<HighWaterMark> begun = CompletableFuture.supplyAsync(() -> firstStartMark(first));
        startWithQuorum("second");
        assertThat(begun.join()).extracting(HighWaterMark::untilMillis).isEqualTo(untilMillis);
    }

    private HazelcastInstance startLite(Config config) {
        return start(config.setLiteMember(true));
    }

    private Config withMarks(String of, int members) {
        return withMark(of).setProperty("snowcast.high.water.mark.members", Integer.toString(members));
    }

    /** The lite member has started first, so that the data member asks it, and would adopt its start mark. */
    @Test
    void aLiteMemberDecidesNoBeginning() {
        long untilMillis = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        Marks.leave(directory.resolve("first"), "other", untilMillis);
        HazelcastInstance lite = startLite(Members.config());
        HighWaterMark ofLite = startMark(lite);
        HazelcastInstance member = startWithMark("first");
        Await.until("the mark with which the cluster starts", () -> startMark(member) != null);

        assertThat(startMark(member)).extracting(HighWaterMark::untilMillis).isEqualTo(untilMillis);
        assertThat(ofLite).isNull();
        assertThat(startMark(lite)).isNull();
    }

    /** The mark of the first data member is old, and the lite member has none: the two are not two marks. */
    @Test
    void theAnswerOfALiteMemberIsNoMark() {
        HazelcastInstance lite = startLite(withMark("lite"));
        Marks.leave(directory.resolve("first"), "other", 1_000);
        HazelcastInstance first = start(withMarks("first", 2));
        Await.until(
                "the lite member's answer", () -> service(first).otherMembers.unknownElder() == null);
        assertThat(startMark(first)).isNull();

        long untilMillis = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        Marks.leave(directory.resolve("second"), "other", untilMillis);
        HazelcastInstance second = start(withMarks("second", 2));
        for (HazelcastInstance member : List.of(first, second)) {
            Await.until("the mark with which the cluster starts", () -> startMark(member) != null);
            assertThat(startMark(member)).extracting(HighWaterMark::untilMillis).isEqualTo(untilMillis);
        }
        // After the last data member, an open mark of a lite member would say that the cluster has crashed.
        requireNonNull(service(lite).markKeeper).writeIfDue(Runnable::run);
        assertThat(Marks.in(directory.resolve("lite"))).isEqualTo(HighWaterMark.NONE);
    }

    /** Polls without a pause, to catch a decision that is made before the other member's mark has arrived. */
    private static HighWaterMark firstStartMark(HazelcastInstance member) {
        HighWaterMark begun;
        do {
            begun = startMark(member);
        } while (begun == null);
        return begun;
    }
}
