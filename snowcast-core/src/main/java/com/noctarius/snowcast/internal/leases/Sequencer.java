// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.AsyncCalls;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.generator.Attachment;
import com.noctarius.snowcast.internal.generator.GrantInUse;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** Implements {@link SnowcastSequencer}: generates IDs with one {@link Attachment} after another, one per grant. */
final class Sequencer extends GrantHolder implements SnowcastSequencer {
    final SequencerConfig config;
    private final AsyncCalls asyncCalls;

    Sequencer(SequencerConfig config, GrantRequests requests, Log log, Keeper keeper) {
        super(requests, log, keeper);
        this.config = config;
        this.asyncCalls =
                new AsyncCalls(this::tryNext, () -> OptionalLong.of(next()), requests.clock, GrantInUse.MAX_LEASE_WAIT);
    }

    // --- IDs

    @Override
    public long next() throws InterruptedException {
        Attachment attachment = attachment();
        while (true) {
            long slot = attachment.next();
            if (slot >= 0) {
                return attachment.idOf(slot);
            }
            attachment = attachmentAfter(attachment);
        }
    }

    @Override
    public void next(long[] ids, int fromIndex, int toIndex) throws InterruptedException {
        Objects.checkFromToIndex(fromIndex, toIndex, ids.length);
        Attachment attachment = attachment();
        int index = attachment.fill(ids, fromIndex, toIndex);
        while (index < toIndex) {
            attachment = attachmentAfter(attachment);
            index = attachment.fill(ids, index, toIndex);
        }
    }

    @Override
    public OptionalLong tryNext() {
        long id = tryNextOr(0); // No ID is 0: slots begin at 1.
        return id == 0 ? OptionalLong.empty() : OptionalLong.of(id);
    }

    @Override
    public long tryNextOr(long ifNone) {
        while (true) {
            Attachment attachment = attachment();
            long slot = attachment.tryNext();
            if (slot >= 0) {
                return attachment.idOf(slot);
            }
            if (slot == Attachment.EMPTY) {
                return ifNone;
            }
            if (state().attachment == attachment) {
                requests.requireTimeLeft();
                return ifNone;
            }
        }
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        return asyncCalls.next();
    }

    private Attachment attachment() {
        HolderState now = state();
        Attachment attachment = now.attachment;
        if (attachment == null) {
            throw notIn(SnowcastSequenceState.Attached, now);
        }
        return attachment;
    }

    private Attachment attachmentAfter(Attachment sealed) throws InterruptedException {
        return (Attachment) successorOf(sealed);
    }

    @Override
    GrantInUse begin(GrantInUse.Terms terms, long randomSalt) {
        return new Attachment(config, terms, randomSalt, requests.clock, requests.counts, keeper);
    }

    // --- states

    @Override
    public SnowcastSequencer attachLogicalNode() {
        attach();
        return this;
    }

    @Override
    public SnowcastSequencer detachLogicalNode() {
        detach();
        return this;
    }

    @Override
    public SnowcastSequenceState getSequencerState() {
        return state().state;
    }

    // --- stats

    @Override
    public SnowcastSequencer.Stats stats() {
        HolderState now = state();
        HolderState.HeldGrant last = now.lastGrant;
        Instant time = Instant.ofEpochMilli(requests.clock.medianMillis());
        return history.stats(
                now,
                // The count of the last attachment includes the IDs of all attachments before it.
                last == null ? 0 : ((Attachment) last.inUse()).issuedCount(),
                timeRemaining(time),
                positiveRemaining(time));
    }

    @Override
    SnowcastSequencer.Stats holderStats() {
        return stats();
    }

    /** Returns how long the layout's time still lasts; zero if it is used up. */
    Duration timeRemaining(Instant now) {
        Duration left = Duration.between(now, layout().endOfTime(epoch()));
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns how long IDs remain positive; empty if they never turn negative, or are negative already. */
    Optional<Duration> positiveRemaining(Instant now) {
        return layout().turnsNegative(epoch())
                .map(end -> Duration.between(now, end))
                .filter(left -> !left.isNegative() && !left.isZero());
    }

    // --- what it was made with

    @Override
    public String getSequencerName() {
        return config.name();
    }

    @Override
    public SnowcastLayout layout() {
        return config.layout();
    }

    @Override
    public SnowcastEpoch epoch() {
        return config.epoch();
    }

    /** Returns, for messages, the settings that may differ between the processes that use a sequencer. */
    static String settings(SequencerConfig config) {
        return "counterStart=" + config.counterStart() + ", lease="
                + Objects.requireNonNullElse(config.lease(), "default");
    }

    @Override
    public String toString() {
        return "SnowcastSequencer{name=" + config.name() + ", state=" + state().state + ", layout=" + layout() + ", "
                + settings(config) + '}';
    }
}
