// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseStats;
import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator endpoint {@code snowcast}: the present state of the sequencers, integer sequences and node leases, and
 * the parts of an ID. Makes no call to the cluster. Thread-safe.
 */
@Endpoint(id = "snowcast")
public final class SnowcastEndpoint {
    private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,20}");
    private static final int BASE62_LENGTH = 11;
    private static final int BASE32_LENGTH = 13;

    private final KnownSequencers known;

    SnowcastEndpoint(KnownSequencers known) {
        this.known = known;
    }

    /**
     * Returns all sequencers, integer sequences and node leases.
     *
     * @return by their names
     */
    @ReadOperation
    public Overview overview() {
        Map<String, Sequencer> sequencers = new LinkedHashMap<>();
        known.sequencers().forEach((name, sequencer) -> sequencers.put(name, Sequencer.of(sequencer)));
        Map<String, Sequence> sequences = new LinkedHashMap<>();
        known.sequences().forEach((name, sequence) -> sequences.put(name, Sequence.of(sequence)));
        Map<String, Lease> nodeLeases = new LinkedHashMap<>();
        known.nodeLeases().forEach((name, lease) -> nodeLeases.put(name, Lease.of(lease)));
        return new Overview(sequencers, sequences, nodeLeases);
    }

    /**
     * Returns the sequencer of a name; if there is none the integer sequence, and then the node lease.
     *
     * @param name its name
     * @return a {@link Sequencer}, a {@link Sequence} or a {@link Lease}, or null if there is none of that name
     */
    @ReadOperation
    public @Nullable Object one(@Selector String name) {
        SnowcastSequencer sequencer = known.sequencers().get(name);
        if (sequencer != null) {
            return Sequencer.of(sequencer);
        }
        IntegerSequence sequence = known.sequences().get(name);
        if (sequence != null) {
            return Sequence.of(sequence);
        }
        NodeLease lease = known.nodeLeases().get(name);
        return lease == null ? null : Lease.of(lease);
    }

    /**
     * Takes an ID of a sequencer apart.
     *
     * @param name the sequencer's name
     * @param id the ID: a decimal number, signed or unsigned, or one of the texts of {@link SnowflakeId}; digits only
     *     are always a decimal number
     * @return its parts, or null if there is no sequencer of that name
     * @throws InvalidEndpointRequestException if {@code id} cannot be an ID of that sequencer
     */
    @ReadOperation
    public @Nullable Id id(@Selector String name, @Selector String id) {
        SnowcastSequencer found = known.sequencers().get(name);
        if (found == null) {
            return null;
        }
        try {
            return Id.of(parse(id, found));
        } catch (IllegalArgumentException e) {
            String message = "id must be one of the sequencer " + name
                    + ", as a decimal number, in Base62 or Base32, or as time, node and counter: " + id;
            throw new InvalidEndpointRequestException(message + " (" + e.getMessage() + ")", message, e);
        }
    }

    private static SnowflakeId parse(String text, SnowcastSequencer sequencer) {
        if (DECIMAL.matcher(text).matches()) {
            return SnowflakeId.of(
                    text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text), sequencer);
        }
        return switch (text.length()) {
            case BASE62_LENGTH -> SnowflakeId.of(SnowflakeId.parseBase62(text), sequencer);
            case BASE32_LENGTH -> SnowflakeId.of(SnowflakeId.parseBase32(text), sequencer);
            default -> SnowflakeId.parse(text, sequencer.layout(), sequencer.epoch());
        };
    }

    /**
     * All sequencers, integer sequences and node leases.
     *
     * @param sequencers by their names
     * @param sequences by their names
     * @param nodeLeases by their names
     */
    public record Overview(
            Map<String, Sequencer> sequencers, Map<String, Sequence> sequences, Map<String, Lease> nodeLeases) {
        /**
         * Makes one without node leases.
         *
         * @param sequencers by their names
         * @param sequences by their names
         */
        public Overview(Map<String, Sequencer> sequencers, Map<String, Sequence> sequences) {
            this(sequencers, sequences, Map.of());
        }
    }

    /**
     * A sequencer; its counts are those of the instance since it was created, see {@link SequencerStats}.
     *
     * @param name its name in the cluster
     * @param state its present state
     * @param logicalNodeId its node ID; null if it has none
     * @param lease what the cluster granted or extended last
     * @param leaseRemaining how long it can generate IDs without the cluster
     * @param problem why it has no node ID, or why its lease cannot be extended; null if nothing is wrong
     * @param layout the bits of time, node ID and counter
     * @param epoch when the time of its IDs begins
     * @param issued IDs that calls returned
     * @param waits how often a call had to wait
     * @param waitTime for how long, all together
     * @param extensions extensions of the lease
     * @param extensionFailures extensions that failed
     * @param leaseLosses how often the node ID was lost
     * @param timeEnds when the time of the layout ends, so that no more IDs are issued
     * @param turnsNegative from when on IDs are negative as signed numbers; null if they never are
     */
    public record Sequencer(
            String name,
            String state,
            @Nullable Integer logicalNodeId,
            String lease,
            String leaseRemaining,
            @Nullable String problem,
            String layout,
            Instant epoch,
            long issued,
            long waits,
            String waitTime,
            long extensions,
            long extensionFailures,
            long leaseLosses,
            Instant timeEnds,
            @Nullable Instant turnsNegative) {
        /**
         * Makes one whose time never ends.
         *
         * @param name its name in the cluster
         * @param state its present state
         * @param logicalNodeId its node ID
         * @param lease what the cluster granted or extended last
         * @param leaseRemaining how long it can generate IDs without the cluster
         * @param problem what is wrong
         * @param layout the bits of time, node ID and counter
         * @param epoch when the time of its IDs begins
         * @param issued IDs that calls returned
         * @param waits how often a call had to wait
         * @param waitTime for how long, all together
         * @param extensions extensions of the lease
         * @param extensionFailures extensions that failed
         * @param leaseLosses how often the node ID was lost
         */
        public Sequencer(
                String name,
                String state,
                @Nullable Integer logicalNodeId,
                String lease,
                String leaseRemaining,
                @Nullable String problem,
                String layout,
                Instant epoch,
                long issued,
                long waits,
                String waitTime,
                long extensions,
                long extensionFailures,
                long leaseLosses) {
            this(
                    name,
                    state,
                    logicalNodeId,
                    lease,
                    leaseRemaining,
                    problem,
                    layout,
                    epoch,
                    issued,
                    waits,
                    waitTime,
                    extensions,
                    extensionFailures,
                    leaseLosses,
                    Instant.MAX,
                    null);
        }

        static Sequencer of(SnowcastSequencer sequencer) {
            SequencerStats stats = sequencer.stats();
            SnowcastLayout layout = sequencer.layout();
            return new Sequencer(
                    sequencer.getSequencerName(),
                    stats.state().name(),
                    stats.logicalNodeId().isPresent() ? stats.logicalNodeId().getAsInt() : null,
                    stats.lease().toString(),
                    stats.leaseRemaining().toString(),
                    stats.problem().isEmpty() ? null : stats.problem(),
                    layout.timestampBits() + "/" + layout.logicalNodeBits() + "/" + layout.counterBits(),
                    Instant.ofEpochMilli(sequencer.epoch().getEpochOffset()),
                    stats.issuedCount(),
                    stats.waitCount(),
                    stats.waitTime().toString(),
                    stats.extensionCount(),
                    stats.extensionFailureCount(),
                    stats.leaseLossCount(),
                    layout.endOfTime(sequencer.epoch()),
                    layout.turnsNegative(sequencer.epoch()).orElse(null));
        }
    }

    /**
     * An integer sequence; its counts are those of the instance since it was created, see {@link IntegerSequenceStats}.
     *
     * @param name its name in the store
     * @param remaining integers that can be had without the store
     * @param timeToEmpty how long these last at the present rate; null if none are used
     * @param problem since when and why nothing can be reserved, or why it is closed; null if nothing is wrong
     * @param issued integers that were handed out
     * @param blockSize integers that the next reservation asks for
     * @param reservations blocks that were reserved
     * @param reservationFailures reservations that failed
     * @param waits how often a call had to wait
     * @param waitTime for how long, all together
     * @param exhausted whether the store has no integer left
     */
    public record Sequence(
            String name,
            long remaining,
            @Nullable String timeToEmpty,
            @Nullable String problem,
            long issued,
            long blockSize,
            long reservations,
            long reservationFailures,
            long waits,
            String waitTime,
            boolean exhausted) {
        /**
         * A sequence that is not exhausted.
         *
         * @param name its name in the store
         * @param remaining integers that can be had without the store
         * @param timeToEmpty how long these last at the present rate; null if none are used
         * @param problem since when and why nothing can be reserved, or why it is closed; null if nothing is wrong
         * @param issued integers that were handed out
         * @param blockSize integers that the next reservation asks for
         * @param reservations blocks that were reserved
         * @param reservationFailures reservations that failed
         * @param waits how often a call had to wait
         * @param waitTime for how long, all together
         */
        public Sequence(
                String name,
                long remaining,
                @Nullable String timeToEmpty,
                @Nullable String problem,
                long issued,
                long blockSize,
                long reservations,
                long reservationFailures,
                long waits,
                String waitTime) {
            this(
                    name,
                    remaining,
                    timeToEmpty,
                    problem,
                    issued,
                    blockSize,
                    reservations,
                    reservationFailures,
                    waits,
                    waitTime,
                    false);
        }

        static Sequence of(IntegerSequence sequence) {
            IntegerSequenceStats stats = sequence.stats();
            Duration timeToEmpty = TimeToEmpty.of(stats);
            return new Sequence(
                    sequence.name(),
                    stats.remaining(),
                    timeToEmpty == null ? null : timeToEmpty.toString(),
                    stats.problem().isEmpty() ? null : stats.problem(),
                    stats.issuedCount(),
                    stats.blockSize(),
                    stats.reservationCount(),
                    stats.failureCount(),
                    stats.waitCount(),
                    stats.waitTime().toString(),
                    stats.isExhausted());
        }
    }

    /**
     * A node lease; its counts are those of the instance since it was leased, see {@link NodeLeaseStats}.
     *
     * @param name its name in the cluster
     * @param state its present state
     * @param nodeId its node ID; null if it has none
     * @param lease what the cluster granted or extended last
     * @param leaseRemaining how long the node ID can be used without the cluster
     * @param problem why it has no node ID, or why its lease cannot be extended; null if nothing is wrong
     * @param maxNodeCount how many node IDs there are
     * @param waits how often a call on the guarded generator had to wait
     * @param waitTime for how long, all together
     * @param extensions extensions of the lease
     * @param extensionFailures extensions that failed
     * @param leaseLosses how often the node ID was lost
     */
    public record Lease(
            String name,
            String state,
            @Nullable Integer nodeId,
            String lease,
            String leaseRemaining,
            @Nullable String problem,
            int maxNodeCount,
            long waits,
            String waitTime,
            long extensions,
            long extensionFailures,
            long leaseLosses) {
        static Lease of(NodeLease lease) {
            NodeLeaseStats stats = lease.stats();
            return new Lease(
                    lease.name(),
                    stats.state().name(),
                    stats.nodeId().isPresent() ? stats.nodeId().getAsInt() : null,
                    stats.lease().toString(),
                    stats.leaseRemaining().toString(),
                    stats.problem().isEmpty() ? null : stats.problem(),
                    lease.maxNodeCount(),
                    stats.waitCount(),
                    stats.waitTime().toString(),
                    stats.extensionCount(),
                    stats.extensionFailureCount(),
                    stats.leaseLossCount());
        }
    }

    /**
     * An ID and its parts.
     *
     * @param id the ID, as a text: as a number it would lose digits in JavaScript
     * @param base62 in Base62
     * @param base32 in Crockford's Base32
     * @param readable as time, node ID and counter
     * @param time when it was issued
     * @param logicalNodeId the node ID that issued it
     * @param counter its number within the millisecond
     */
    public record Id(
            String id, String base62, String base32, String readable, Instant time, int logicalNodeId, int counter) {
        static Id of(SnowflakeId id) {
            return new Id(
                    Long.toString(id.value()),
                    SnowflakeId.toBase62(id.value()),
                    SnowflakeId.toBase32(id.value()),
                    id.toString(),
                    id.instant(),
                    id.logicalNodeId(),
                    id.counter());
        }
    }
}
