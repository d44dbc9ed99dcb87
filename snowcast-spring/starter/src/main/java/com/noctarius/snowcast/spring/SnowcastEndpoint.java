// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.ids.SnowflakeId;
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
 * The actuator endpoint {@code snowcast}, which shows the current state of the sequencers, integer sequences and node
 * leases, and splits an ID into its parts. It calls neither the cluster nor a database. Thread-safe.
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
     * Returns the state of all sequencers, integer sequences and node leases.
     *
     * @return three maps with the names as keys
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
     * Returns the state of the sequencer with this name; if there is no such sequencer, the state of the integer
     * sequence with this name; if there is no such sequence either, the state of the node lease.
     *
     * @param name the name
     * @return a {@link Sequencer}, {@link Sequence} or {@link Lease}; null if nothing has this name
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
     * @param id the ID: a decimal number, signed or unsigned; or a text in one of the forms of {@link SnowflakeId}.
     *     Text of up to 20 digits is always read as a decimal number
     * @return the parts of the ID; null if no sequencer has this name
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
            String message = "id must be an ID of the sequencer " + name
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
     * The state of all sequencers, integer sequences and node leases.
     *
     * @param sequencers the sequencers, with their names as keys
     * @param sequences the integer sequences, with their names as keys
     * @param nodeLeases the node leases, with their names as keys
     */
    public record Overview(
            Map<String, Sequencer> sequencers, Map<String, Sequence> sequences, Map<String, Lease> nodeLeases) {}

    /**
     * The state of a sequencer. The counters count what this instance has done since its creation, see
     * {@link SnowcastSequencer.Stats}.
     *
     * @param name the name in the cluster or database
     * @param state the current state
     * @param logicalNodeId the node ID; null if the sequencer has none
     * @param lease the duration of the last grant or renewal
     * @param leaseRemaining for how long the sequencer can generate IDs without renewing the lease
     * @param problem why the sequencer has no node ID, why its lease cannot be renewed, that the time of its layout is
     *     used up, or by how much the clock of this process differs from the time of IDs; null if there is no problem
     * @param layout the bits of time, node ID and counter
     * @param epoch the instant at which the time in the IDs begins
     * @param issued how many IDs have been returned to callers
     * @param waits how often calls had to wait
     * @param waitTime the total time of these waits
     * @param renewals how often the lease was renewed
     * @param renewalFailures how many renewals failed
     * @param leaseLosses how often the node ID was lost
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
        static Sequencer of(SnowcastSequencer sequencer) {
            SnowcastSequencer.Stats stats = sequencer.stats();
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
     * The state of an integer sequence. The counters count what this instance has done since its creation, see
     * {@link IntegerSequence.Stats}.
     *
     * @param name the name in the store
     * @param remaining how many reserved integers are left
     * @param timeToEmpty for how long the reserved integers last at the current rate; null if no integers are used, or
     *     before the first reservation has succeeded or failed
     * @param problem since when and why no block can be reserved, or why the sequence is closed; null if there is no
     *     problem
     * @param issued how many integers have been returned to callers
     * @param blockSize the size of the next block to reserve
     * @param reservations how many blocks were reserved
     * @param reservationFailures how many reservations failed
     * @param waits how often calls had to wait
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
        static Sequence of(IntegerSequence sequence) {
            IntegerSequence.Stats stats = sequence.stats();
            boolean isUsed = !stats.timeToEmpty().equals(IntegerSequence.Stats.ENDLESS);
            return new Sequence(
                    sequence.name(),
                    stats.remaining(),
                    isUsed ? stats.timeToEmpty().toString() : null,
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
     * The state of a node lease. The counters count what this instance has done since its creation, see
     * {@link NodeLease.Stats}.
     *
     * @param name the name in the cluster or database
     * @param state the current state
     * @param nodeId the node ID; null if the lease has none
     * @param lease the duration of the last grant or renewal
     * @param leaseRemaining for how long the node ID can be used without renewing the lease
     * @param problem why there is no node ID, why the lease cannot be renewed, or by how much the clock of this process
     *     differs from the time of IDs; null if there is no problem
     * @param maxNodeCount how many node IDs exist for this name
     * @param waits how often calls of the guarded generator had to wait
     * @param waitTime the total time of these waits
     * @param renewals how often the lease was renewed
     * @param renewalFailures how many renewals failed
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
            long renewals,
            long renewalFailures,
            long leaseLosses) {
        static Lease of(NodeLease lease) {
            NodeLease.Stats stats = lease.stats();
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
     * @param id the ID in decimal digits, as a text because JavaScript would round a number
     * @param base62 the ID in Base62
     * @param base32 the ID in Crockford's Base32
     * @param readable the ID as text with its time, node ID and counter
     * @param time the time in the ID
     * @param logicalNodeId the node ID in the ID
     * @param counter the counter in the ID
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
