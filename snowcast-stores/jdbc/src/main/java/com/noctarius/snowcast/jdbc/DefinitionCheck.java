// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Checks that a sequence is defined, and that the database user of a store may reserve integers. Thread-safe. */
final class DefinitionCheck {
    private final JdbcShards shards;
    private final Tables tables;

    DefinitionCheck(JdbcShards shards) {
        this.shards = shards;
        this.tables = shards.tables();
    }

    /** A shard's answer: a row, no row, or a failure. */
    private record Answer(
            Shard shard,
            Optional<SequenceRow> row,
            @Nullable SQLException failure) {}

    /**
     * Throws if no shard defines the sequence, if the first value of the sequence is below {@code firstValue}, or if a
     * shard cannot be used until an operator changes something.
     *
     * @throws NonTransientBlockStoreException if a retry cannot succeed until an operator changes something; the
     *     message says what
     * @throws BlockStoreException if no reachable shard defines the sequence, and a shard cannot be reached
     */
    void require(String sequence, long firstValue) {
        List<CompletableFuture<Answer>> calls = shards.all().stream()
                .map(shard -> CompletableFuture.supplyAsync(() -> ask(shard, sequence), Shard.THREADS))
                .toList();
        List<Answer> answers = calls.stream().map(CompletableFuture::join).toList();
        answers.forEach(this::requireUsable);
        Optional<SequenceRow> row =
                answers.stream().flatMap(answer -> answer.row().stream()).findFirst();
        if (row.isPresent()) {
            requireNothingBelow(row.get(), firstValue);
            return;
        }
        for (Answer answer : answers) {
            SQLException failure = answer.failure();
            if (failure != null) {
                throw shards.failed(
                        answer.shard(), "it is not known whether sequence " + sequence + " is defined: ", failure);
            }
        }
        throw new NonTransientBlockStoreException("sequence " + sequence + " is not defined in " + shards
                + ": run JdbcSchema.defineSequence, or WindowAgentMain define");
    }

    private Answer ask(Shard shard, String sequence) {
        try {
            return new Answer(shard, shard.autoCommit(transaction -> ask(transaction, sequence)), null);
        } catch (SQLException e) {
            return new Answer(shard, Optional.empty(), e);
        }
    }

    private Optional<SequenceRow> ask(Transaction transaction, String sequence) throws SQLException {
        // This statement changes no row, but fails if the user lacks the privilege to update the table.
        transaction.update("UPDATE " + tables.windows() + " SET next_hi_value = next_hi_value WHERE 1 = 0");
        return tables.sequence(transaction, sequence);
    }

    private void requireUsable(Answer answer) {
        PermanentFailure.advice(answer.failure()).ifPresent(advice -> {
            throw new NonTransientBlockStoreException(
                    answer.shard() + " in " + shards + " cannot be used; " + advice, answer.failure());
        });
    }

    private void requireNothingBelow(SequenceRow row, long firstValue) {
        if (row.first() < firstValue) {
            throw new NonTransientBlockStoreException("sequence " + row.name() + " must give no integer below "
                    + firstValue + ", and is defined from " + row.first() + " in " + shards
                    + ": set firstValue to " + row.first() + ", or define a sequence of another name");
        }
    }
}
