// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastId;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
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
 * The actuator endpoint {@code snowcast}: the sequencers and how they are at present, and the parts of an ID. Makes no
 * call to the cluster. Thread-safe.
 */
@Endpoint(id = "snowcast")
public final class SnowcastEndpoint {
    private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,20}");
    private static final int BASE62_LENGTH = 11;
    private static final int BASE32_LENGTH = 13;

    private final KnownSequencers sequencers;

    SnowcastEndpoint(KnownSequencers sequencers) {
        this.sequencers = sequencers;
    }

    /**
     * Returns all sequencers.
     *
     * @return by their names
     */
    @ReadOperation
    public Sequencers sequencers() {
        Map<String, Sequencer> described = new LinkedHashMap<>();
        sequencers.byName().forEach((name, sequencer) -> described.put(name, Sequencer.of(sequencer)));
        return new Sequencers(described);
    }

    /**
     * Returns a sequencer.
     *
     * @param sequencer its name
     * @return the sequencer, or null if there is none of that name
     */
    @ReadOperation
    public @Nullable Sequencer sequencer(@Selector String sequencer) {
        SnowcastSequencer found = sequencers.byName().get(sequencer);
        return found == null ? null : Sequencer.of(found);
    }

    /**
     * Takes an ID of a sequencer apart.
     *
     * @param sequencer the sequencer's name
     * @param id the ID: a decimal number, signed or unsigned, or one of the texts of {@link SnowcastId}; digits only are
     *     always a decimal number
     * @return its parts, or null if there is no sequencer of that name
     * @throws InvalidEndpointRequestException if it is no ID of that sequencer
     */
    @ReadOperation
    public @Nullable Id id(@Selector String sequencer, @Selector String id) {
        SnowcastSequencer found = sequencers.byName().get(sequencer);
        if (found == null) {
            return null;
        }
        try {
            return Id.of(parse(id, found));
        } catch (IllegalArgumentException e) {
            String message = "id must be one of the sequencer " + sequencer
                    + ", as a decimal number, in Base62 or Base32, or as time, node and counter: " + id;
            throw new InvalidEndpointRequestException(message + " (" + e.getMessage() + ")", message, e);
        }
    }

    private static SnowcastId parse(String text, SnowcastSequencer sequencer) {
        if (DECIMAL.matcher(text).matches()) {
            return SnowcastId.of(text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text), sequencer);
        }
        return switch (text.length()) {
            case BASE62_LENGTH -> SnowcastId.of(SnowcastId.parseBase62(text), sequencer);
            case BASE32_LENGTH -> SnowcastId.of(SnowcastId.parseBase32(text), sequencer);
            default -> SnowcastId.parse(text, sequencer.getLayout(), sequencer.getEpoch());
        };
    }

    /**
     * All sequencers.
     *
     * @param sequencers by their names
     */
    public record Sequencers(Map<String, Sequencer> sequencers) {}

    /**
     * A sequencer; its counts are those of the instance since it was created, see {@link SequencerStats}.
     *
     * @param name its name in the cluster
     * @param state its present state
     * @param logicalNodeId its logical node; null if it has none
     * @param lease what the cluster granted or extended last
     * @param leaseRemaining how long it can go on without the cluster
     * @param problem why it has no logical node, or why its lease cannot be extended; null if nothing is wrong
     * @param layout the bits of time, logical node and counter
     * @param epoch when the time of its IDs begins
     * @param issued IDs that calls returned
     * @param waits how often a call had to wait
     * @param waitTime for how long, all together
     * @param extensions extensions of the lease
     * @param extensionFailures extensions that failed
     * @param refusals how often the logical node was lost
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
            long refusals) {
        static Sequencer of(SnowcastSequencer sequencer) {
            SequencerStats stats = sequencer.getStats();
            SnowcastLayout layout = sequencer.getLayout();
            return new Sequencer(
                    sequencer.getSequencerName(),
                    stats.state().name(),
                    stats.logicalNodeId().isPresent() ? stats.logicalNodeId().getAsInt() : null,
                    stats.lease().toString(),
                    stats.leaseRemaining().toString(),
                    stats.problem().isEmpty() ? null : stats.problem(),
                    layout.timestampBits() + "/" + layout.logicalNodeBits() + "/" + layout.counterBits(),
                    Instant.ofEpochMilli(sequencer.getEpoch().getEpochOffset()),
                    stats.issuedCount(),
                    stats.waitCount(),
                    stats.waitTime().toString(),
                    stats.extensionCount(),
                    stats.extensionFailureCount(),
                    stats.refusalCount());
        }
    }

    /**
     * An ID and its parts.
     *
     * @param id the ID, as a text: as a number it would lose digits in JavaScript
     * @param base62 in Base62
     * @param base32 in Crockford's Base32
     * @param readable as time, logical node and counter
     * @param time when it was issued
     * @param logicalNodeId the logical node that issued it
     * @param counter its number within the millisecond
     */
    public record Id(
            String id, String base62, String base32, String readable, Instant time, int logicalNodeId, int counter) {
        static Id of(SnowcastId id) {
            return new Id(
                    Long.toString(id.value()),
                    SnowcastId.toBase62(id.value()),
                    SnowcastId.toBase32(id.value()),
                    id.toString(),
                    id.instant(),
                    id.logicalNodeId(),
                    id.counter());
        }
    }
}
