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
     * @return the sequencers, integer sequences and node leases, each by their names
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
     * Returns the sequencer of a name; if there is none, the integer sequence; if there is none, the node lease.
     *
     * @param name its name
     * @return a {@link Sequencer}, {@link Sequence} or {@link Lease}; null if none has that name
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
     * Returns the parts of an ID of a sequencer.
     *
     * @param name the sequencer's name
     * @param id the ID: a decimal number, signed or unsigned, or one of the texts of {@link SnowflakeId}; a text of
     *     digits only is always a decimal number
     * @return its parts; null if there is no sequencer of that name
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
     * @param sequencers the sequencers by their names
     * @param sequences the integer sequences by their names
     * @param nodeLeases the node leases by their names
     */
    public record Overview(
            Map<String, Sequencer> sequencers, Map<String, Sequence> sequences, Map<String, Lease> nodeLeases) {
        /**
         * Makes an overview without node leases.
         *
         * @param sequencers the sequencers by their names
         * @param sequences the integer sequences by their names
         */
        public Overview(Map<String, Sequencer> sequencers, Map<String, Sequence> sequences) {
            this(sequencers, sequences, Map.of());
        }
    }

    /**
     * A sequencer. The counts are those of this instance since it was created, see {@link SequencerStats}.
     *
     * @param name its name in the cluster
     * @param state its present state
     * @param logicalNodeId its node ID; null if it has none
     * @param lease the duration of the last grant or renewal
     * @param leaseRemaining how long it can generate IDs without the cluster
     * @param problem why it has no node ID, or why its lease cannot be renewed; null if nothing is wrong
     * @param layout the bits of time, node ID and counter
     * @param epoch when the time of its IDs begins
     * @param issued how many IDs calls have returned
     * @param waits how many calls had to wait
     * @param waitTime the total time of these waits
     * @param renewals how many times the lease was renewed
     * @param renewalFailures how many renewals failed
     * @param leaseLosses how many times the node ID was lost
     * @param timeEnds when the time of the layout ends, after which the sequencer issues no IDs
     * @param turnsNegative when IDs become negative as signed numbers; null if they never do
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
            long renewals,
            long renewalFailures,
            long leaseLosses,
            Instant timeEnds,
            @Nullable Instant turnsNegative) {
        /**
         * Makes a sequencer whose time never ends.
         *
         * @param name its name in the cluster
         * @param state its present state
         * @param logicalNodeId its node ID
         * @param lease the duration of the last grant or renewal
         * @param leaseRemaining how long it can generate IDs without the cluster
         * @param problem what is wrong
         * @param layout the bits of time, node ID and counter
         * @param epoch when the time of its IDs begins
         * @param issued how many IDs calls have returned
         * @param waits how many calls had to wait
         * @param waitTime the total time of these waits
         * @param renewals how many times the lease was renewed
         * @param renewalFailures how many renewals failed
         * @param leaseLosses how many times the node ID was lost
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
                long renewals,
                long renewalFailures,
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
                    renewals,
                    renewalFailures,
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
                    stats.renewalCount(),
                    stats.renewalFailureCount(),
                    stats.leaseLossCount(),
                    layout.endOfTime(sequencer.epoch()),
                    layout.turnsNegative(sequencer.epoch()).orElse(null));
        }
    }

    /**
     * An integer sequence. The counts are those of this instance since it was created, see
     * {@link IntegerSequenceStats}.
     *
     * @param name its name in the store
     * @param remaining how many integers calls can return without the store
     * @param timeToEmpty how long these last at the present rate; null if none are used
     * @param problem since when and why no block can be reserved, or why it is closed; null if nothing is wrong
     * @param issued how many integers calls have returned
     * @param blockSize the size of the next block to reserve
     * @param reservations how many blocks were reserved
     * @param reservationFailures how many reservations failed
     * @param waits how many calls had to wait
     * @param waitTime the total time of these waits
     * @param exhausted whether the store has no integers left
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
         * Makes a sequence that is not exhausted.
         *
         * @param name its name in the store
         * @param remaining how many integers calls can return without the store
         * @param timeToEmpty how long these last at the present rate; null if none are used
         * @param problem since when and why no block can be reserved, or why it is closed; null if nothing is wrong
         * @param issued how many integers calls have returned
         * @param blockSize the size of the next block to reserve
         * @param reservations how many blocks were reserved
         * @param reservationFailures how many reservations failed
         * @param waits how many calls had to wait
         * @param waitTime the total time of these waits
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
     * A node lease. The counts are those of this instance since it was leased, see {@link NodeLeaseStats}.
     *
     * @param name its name in the cluster
     * @param state its present state
     * @param nodeId its node ID; null if it has none
     * @param lease the duration of the last grant or renewal
     * @param leaseRemaining how long the node ID can be used without the cluster
     * @param problem why it has no node ID, or why its lease cannot be renewed; null if nothing is wrong
     * @param maxNodeCount how many node IDs there are
     * @param waits how many calls of the guarded generator had to wait
     * @param waitTime the total time of these waits
     * @param renewals how many times the lease was renewed
     * @param renewalFailures how many renewals failed
     * @param leaseLosses how many times the node ID was lost
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
            long renewals,
            long renewalFailures,
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
                    stats.renewalCount(),
                    stats.renewalFailureCount(),
                    stats.leaseLossCount());
        }
    }

    /**
     * An ID and its parts.
     *
     * @param id the ID as a decimal text, because JavaScript would round a number
     * @param base62 the ID in Base62
     * @param base32 the ID in Crockford's Base32
     * @param readable the ID as time, node ID and counter
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
