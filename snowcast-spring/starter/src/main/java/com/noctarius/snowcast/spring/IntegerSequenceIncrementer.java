// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import java.util.Objects;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.support.incrementer.DataFieldMaxValueIncrementer;

/**
 * An integer sequence as Spring JDBC's source of keys, for libraries that take their keys from one, such as the job
 * repository of Spring Batch:
 *
 * <pre>{@code
 * factory.setIncrementerFactory(incrementerFactory);   // whose getIncrementer returns one of these
 * }</pre>
 *
 * <p>Thread-safe. Blocks as {@link IntegerSequence#next()} does, and fails as it fails, with a
 * {@code SnowcastException}; if the thread is interrupted while it waits, with a
 * {@link TransientDataAccessResourceException}, and the thread's interrupt flag is set.
 */
public final class IntegerSequenceIncrementer implements DataFieldMaxValueIncrementer {
    private final IntegerSequence sequence;

    /**
     * Creates a source of keys.
     *
     * @param sequence the integer sequence that gives the keys
     * @throws NullPointerException if {@code sequence} is null
     */
    public IntegerSequenceIncrementer(IntegerSequence sequence) {
        this.sequence = Objects.requireNonNull(sequence, "sequence");
    }

    /**
     * {@return the next integer of the sequence}
     *
     * @throws DataIntegrityViolationException if the integer does not fit an {@code int}; the integer is lost
     */
    @Override
    public int nextIntValue() {
        long value = nextLongValue();
        if (value > Integer.MAX_VALUE) {
            throw new DataIntegrityViolationException("Integer sequence " + sequence.name() + ": " + value
                    + " is above " + Integer.MAX_VALUE + ", the last that fits an int; call nextLongValue()");
        }
        return (int) value;
    }

    /** {@return the next integer of the sequence} */
    @Override
    public long nextLongValue() {
        try {
            return sequence.next();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransientDataAccessResourceException(
                    "Interrupted while waiting for an integer of integer sequence " + sequence.name(), e);
        }
    }

    /** {@return the next integer of the sequence, in decimal digits} */
    @Override
    public String nextStringValue() {
        return Long.toString(nextLongValue());
    }
}
