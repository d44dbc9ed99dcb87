// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import java.util.Objects;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.support.incrementer.DataFieldMaxValueIncrementer;

/**
 * An adapter of an integer sequence to Spring JDBC's {@link DataFieldMaxValueIncrementer}, for libraries that take
 * their keys from an incrementer, such as the job repository of Spring Batch:
 *
 * <pre>{@code
 * factory.setIncrementerFactory(incrementerFactory);   // whose getIncrementer returns an IntegerSequenceIncrementer
 * }</pre>
 *
 * <p>Thread-safe. The methods block as {@link IntegerSequence#next()} does, and throw its {@code SnowcastException}s.
 * If the thread is interrupted while it waits, the methods throw a {@link TransientDataAccessResourceException}, and
 * the thread's interrupt status is set again.
 */
public final class IntegerSequenceIncrementer implements DataFieldMaxValueIncrementer {
    private final IntegerSequence sequence;

    /**
     * Creates an incrementer.
     *
     * @param sequence the integer sequence whose integers become keys
     * @throws NullPointerException if {@code sequence} is null
     */
    public IntegerSequenceIncrementer(IntegerSequence sequence) {
        this.sequence = Objects.requireNonNull(sequence, "sequence");
    }

    /**
     * {@return the next integer of the sequence}
     *
     * @throws DataIntegrityViolationException if the integer does not fit an {@code int}; the integer is then a gap
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
