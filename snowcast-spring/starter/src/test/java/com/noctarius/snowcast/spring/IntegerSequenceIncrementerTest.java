// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.support.incrementer.DataFieldMaxValueIncrementer;

class IntegerSequenceIncrementerTest {
    private static IntegerSequence sequence(BlockStore store, long first, long last) {
        return SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("jobs")
                .firstValue(first)
                .lastValue(last)
                .store(store)
                .build());
    }

    @Test
    void keysAreTheIntegersOfTheSequenceInOrder() {
        DataFieldMaxValueIncrementer keys = new IntegerSequenceIncrementer(sequence(new MemoryBlockStore(1, 9), 1, 3));
        assertThat(keys.nextIntValue()).isEqualTo(1);
        assertThat(keys.nextLongValue()).isEqualTo(2);
        assertThat(keys.nextStringValue()).isEqualTo("3");
        assertThatThrownBy(keys::nextLongValue).isInstanceOf(IntegerSequenceExhaustedException.class);
    }

    @Test
    void anIntegerThatDoesNotFitAnIntIsRefused() {
        long first = Integer.MAX_VALUE;
        DataFieldMaxValueIncrementer keys = new IntegerSequenceIncrementer(
                sequence(new MemoryBlockStore(first, Long.MAX_VALUE), first, Long.MAX_VALUE));
        assertThat(keys.nextIntValue()).isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(keys::nextIntValue)
                .isInstanceOf(DataIntegrityViolationException.class)
                .hasMessage("Integer sequence jobs: 2147483648 is above 2147483647, the last that fits an int; call"
                        + " nextLongValue()");
        assertThat(keys.nextLongValue()).isEqualTo(2_147_483_649L);
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        IntegerSequence sequence = sequence(
                (name, size) -> {
                    asked.countDown();
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Block.of(1, size);
                },
                1,
                9);
        Thread waiting = Thread.currentThread();
        Thread interrupter = new Thread(() -> {
            assertThat(catchThrowable(asked::await)).isNull();
            waiting.interrupt();
        });
        interrupter.start();
        try {
            Throwable failure = catchThrowable(() -> new IntegerSequenceIncrementer(sequence).nextLongValue());
            assertThat(Thread.interrupted()).isTrue();
            assertThat(failure)
                    .isInstanceOf(TransientDataAccessResourceException.class)
                    .hasMessageStartingWith("Interrupted while waiting for an integer of integer sequence jobs");
        } finally {
            released.countDown();
            interrupter.join();
        }
    }
}
