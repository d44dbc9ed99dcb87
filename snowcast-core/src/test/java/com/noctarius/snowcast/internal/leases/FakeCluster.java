// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Real node tables without Hazelcast, and members that share them. The owner's clock never steps. Thread-safe. */
final class FakeCluster {
    static final long START = 1_700_000_000_000L;
    static final long LEASE_MILLIS = 60_000;
    static final long MAX_SKEW_MILLIS = 5_000;

    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(START - 1_000);
    private static final TableRules RULES =
            new TableRules(LEASE_MILLIS, MAX_SKEW_MILLIS, 2 * LEASE_MILLIS, 0, SnowcastLayout.MAX_LOGICAL_NODE_COUNT);

    private final ManualClock clock;
    private final Map<String, NodeTable> tables = new HashMap<>();
    private final List<FakeMember> members = new ArrayList<>();

    FakeCluster(ManualClock clock) {
        this.clock = clock;
    }

    /** Returns a configuration with eight node IDs and four IDs per millisecond. */
    static SequencerConfig.Builder config(String name) {
        return SequencerConfig.builder(name)
                .epoch(EPOCH)
                .layout(new SnowcastLayout(41, 3, 2))
                .counterStart(CounterStart.ZERO);
    }

    synchronized FakeMember join(ManualClock memberClock) {
        FakeMember member = new FakeMember(this, memberClock);
        members.add(member);
        return member;
    }

    private NodeTable table(String name) {
        return tables.computeIfAbsent(name, n -> new NodeTable(n, n.hashCode()));
    }

    private long nowMillis() {
        return START + clock.nanos() / 1_000_000;
    }

    synchronized @Nullable Grant attach(AttachRequest request) {
        Optional<Grant> answered =
                table(request.name()).attach(request, nowMillis(), RULES).answered();
        return answered == null ? null : answered.orElse(null);
    }

    synchronized List<RenewReply> renew(List<RenewRequest> requests) {
        return requests.stream()
                .map(request ->
                        table(request.name()).renew(request, nowMillis(), RULES).answer())
                .toList();
    }

    synchronized void detach(DetachRequest request) {
        table(request.name()).detach(request);
    }

    /** Destroys a name as a member does: first in the table, then on every member. */
    synchronized boolean destroy(String name, long incarnation) {
        boolean isDestroyed = Boolean.TRUE.equals(
                table(name).destroy(incarnation, nowMillis()).answered());
        if (isDestroyed) {
            members.forEach(member -> member.sequencers.leaseKeeper.destroyUpTo(name, incarnation));
        }
        return isDestroyed;
    }

    /** Loses all data of a name, as after the loss of a partition whose wait has ended. */
    synchronized void lose(String name) {
        tables.remove(name);
    }

    /** Destroys a name in the table only, as if the messages to the members were lost. */
    synchronized void destroyUnheard(String name, long incarnation) {
        assertThat(table(name).destroy(incarnation, nowMillis()).answer()).isTrue();
    }

    /**
     * Lets a paused holder of a destroyed incarnation attach after a loss of the table, and of its tombstone: the new
     * table continues that incarnation. So does the winning side of a split if only the losing side has destroyed it.
     */
    synchronized void continueDestroyed(AttachRequest ofPaused, long incarnation) {
        lose(ofPaused.name());
        attach(new AttachRequest(
                ofPaused.name(),
                ofPaused.definition(),
                incarnation,
                ofPaused.holder(),
                ofPaused.requestNumber() + 1,
                nowMillis(),
                ofPaused.leaseMillis(),
                ofPaused.lastIdTime()));
    }

    /** Ends a grant at the owner, without the knowledge of the grant's holder. */
    synchronized void takeAway(String name, Grant grant) {
        detach(new DetachRequest(name, grant.logicalNodeId(), grant.token(), grant.ceiling() - 1));
    }
}
