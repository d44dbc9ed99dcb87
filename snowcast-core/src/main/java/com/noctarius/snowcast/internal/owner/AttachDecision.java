// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table's decision about an attach request: the node ID to grant and its period of ID time, or an exception with the
 * reason why no node ID can be granted. Does not change the table. If a name has many node IDs in a database, the SQL
 * store chooses the node ID, and {@link TableRules#withOnly} restricts the decision to this node ID.
 */
final class AttachDecision {
    private final AttachRequest request;
    private final long nowMillis;
    private final TableRules rules;
    private final NavigableMap<Integer, NodeState> nodes;
    private final String name;
    private final String subject;
    private final long holderNow;
    private final long clusterNow;

    /** The chosen grant. Grants of node IDs without an entry begin at {@code floorOfUnusedNodes} or later. */
    record Choice(int logicalNodeId, long floorOfUnusedNodes, long floor, long ceiling) {}

    /** Prepares a decision from the entries of the present incarnation, by node ID. */
    AttachDecision(AttachRequest request, long nowMillis, TableRules rules, NavigableMap<Integer, NodeState> nodes) {
        this.request = request;
        this.nowMillis = nowMillis;
        this.rules = rules;
        this.nodes = nodes;
        this.name = request.name();
        this.subject = request.definition().called(name);
        this.holderNow = request.definition().idTime(request.holderNowMillis());
        this.clusterNow = request.definition().idTime(nowMillis);
    }

    /**
     * Chooses a grant that begins at {@code presentFloor} or later. If {@code highestId} is present, the grant also
     * begins above this raw ID, because former incarnations may have issued IDs up to it.
     */
    Choice choose(long presentFloor, OptionalLong highestId) {
        checkClocks();
        checkLease();
        checkRange();
        Definition definition = request.definition();
        long floorOfUnusedNodes =
                Math.max(presentFloor, definition.firstIdTime(name, nowMillis, rules.maxSkewMillis()));
        if (highestId.isPresent()) {
            String what = subject + ": the destroyed one of that name may have issued IDs up to ";
            long above = definition.firstAbove(highestId.getAsLong(), what, nowMillis, rules.lossWaitMillis());
            floorOfUnusedNodes = Math.max(floorOfUnusedNodes, above);
        }
        int node = firstUnused();
        long floor = floorOfUnusedNodes;
        if (node < 0) {
            // Take the node ID whose next grant may begin earliest.
            NodeState before = inRange()
                    .filter(this::canBeGranted)
                    .min(Comparator.comparingLong(NodeState::nextFloor))
                    .orElseThrow(this::exceeded);
            node = before.logicalNodeId();
            // After a loss of data, a late renewal request may restore a grant that its holder had released before the
            // loss. The end of that grant may lie below floorOfUnusedNodes.
            floor = Math.max(floorOfUnusedNodes, before.nextFloor());
        }
        checkFloor(floor);
        // The holder's next ID is later than its last ID. If a clock was set back, the last ID may be ahead of all
        // clocks.
        long nextIdTime = Math.max(floor, Math.max(holderNow, request.lastIdTime() + 1));
        long ceiling = Math.max(
                floor + rules.leaseFor(request.leaseMillis()),
                rules.ceiling(nextIdTime, clusterNow, request.leaseMillis()));
        long maxCeiling = rules.maxCeiling(definition);
        // A grant that is empty or ends in the past would occupy a node ID, but its holder could issue no IDs.
        if (maxCeiling <= Math.max(floor, Math.min(holderNow, clusterNow))) {
            throw new SnowcastUnavailableException(
                    subject + ": the high-water mark is reserved up to "
                            + instant(rules.durableUntilMillis()) + " only (" + clocks() + ")"
                            + (rules.durableProblem().isEmpty() ? "" : ": " + rules.durableProblem()),
                    null);
        }
        return new Choice(node, floorOfUnusedNodes, floor, Math.min(ceiling, maxCeiling));
    }

    private void checkClocks() {
        if (holderNow < 0 || clusterNow < 0) {
            throw request.definition().beforeEpoch(name, clocks());
        }
        request.definition().requireTime(name, request.holderNowMillis());
        long differenceMillis = Math.abs(holderNow - clusterNow);
        if (differenceMillis > rules.maxSkewMillis()) {
            throw new SnowcastIllegalStateException(subject + ": clock must be at most " + rules.maxSkewMillis()
                    + (holderNow > clusterNow ? " ms ahead of cluster time (" : " ms behind cluster time (") + clocks()
                    + "): "
                    + differenceMillis + " ms");
        }
    }

    private void checkLease() {
        if (request.leaseMillis() < 0 || request.leaseMillis() > rules.leaseMillis()) {
            throw new IllegalArgumentException(subject + ": lease must be at most " + rules.leaseMillis()
                    + " ms (snowcast.lease.millis, or the lease of the JdbcSnowcast): " + request.leaseMillis());
        }
    }

    private void checkRange() {
        if (nodeCount() <= 0) {
            throw new SnowcastIllegalStateException(subject + ": none of the "
                    + request.definition().nodeIdCount()
                    + " node IDs is in snowcast.node.id.range=" + rules.firstNodeId() + "-"
                    + rules.lastNodeId());
        }
    }

    private void checkFloor(long grantFloor) {
        request.definition().requireTime(name, request.definition().epochOffset() + grantFloor);
        if (behind(grantFloor) > rules.maxSkewMillis()) {
            throw new SnowcastUnavailableException(
                    subject + ": clock must be at most "
                            + rules.maxSkewMillis() + " ms behind the time from which on IDs may be issued, "
                            + instant(grantFloor + request.definition().epochOffset()) + " (" + clocks()
                            + "): " + behind(grantFloor) + " ms",
                    null);
        }
    }

    /**
     * Returns how far the holder's clock or cluster time, whichever is earlier, is behind a floor. A grant begins at a
     * floor only if the result is at most the maximum skew; {@link TableRules#mayHaveGranted} relies on this limit.
     */
    private long behind(long grantFloor) {
        return grantFloor - Math.min(holderNow, clusterNow);
    }

    private String clocks() {
        return "this clock " + instant(request.holderNowMillis()) + ", cluster time " + instant(nowMillis);
    }

    private static Instant instant(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    private int nodeCount() {
        return rules.nodeIdCount(request.definition());
    }

    /**
     * Returns a node ID of the permitted range that has no entry, or -1. The search starts at a hash of the holder, so
     * that two sides of a split seldom choose the same node ID.
     */
    private int firstUnused() {
        if (nodes.size() >= request.definition().nodeIdCount()) {
            return -1;
        }
        int count = nodeCount();
        int start = Math.floorMod(request.holder().hashCode(), count);
        return IntStream.range(0, count)
                .map(i -> rules.firstNodeId() + (start + i) % count)
                .filter(node -> !nodes.containsKey(node))
                .findFirst()
                .orElse(-1);
    }

    /** Returns the entries of the node IDs that may be granted. */
    private Stream<NodeState> inRange() {
        int first = rules.firstNodeId();
        return nodes.subMap(first, first + nodeCount()).values().stream();
    }

    /** Returns whether the node ID is released or expired, and the maximum skew permits a grant at its next floor. */
    private boolean canBeGranted(NodeState state) {
        return !state.isAttached(clusterNow) && behind(state.nextFloor()) <= rules.maxSkewMillis();
    }

    private SnowcastNodeIdsExceededException exceeded() {
        List<NodeState> used = inRange().toList();
        NodeIdCounts counts = NodeIdCounts.of(used, clusterNow, nodeCount());
        long nextFree = used.stream().mapToLong(NodeState::nextFloor).min().orElse(clusterNow);
        return counts.exceeded(
                subject, usedAhead(used), nextFree + request.definition().epochOffset());
    }

    /**
     * Returns a note on the released node IDs whose next floors are more than the skew ahead of cluster time; empty if
     * none.
     */
    private String usedAhead(List<NodeState> used) {
        long count = used.stream()
                .filter(state -> !state.leased() && state.nextFloor() - clusterNow > rules.maxSkewMillis())
                .count();
        return count == 0
                ? ""
                : " (" + count + " of them were given back by processes whose clocks were ahead, and are kept until"
                        + " that time has come: correct the clocks)";
    }
}
