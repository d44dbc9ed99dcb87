// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.tests.RealTimeOrder.Call;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker finds what it is for. */
class RealTimeOrderTest {
    private static Call call(long begin, long end, long integer) {
        return new Call("a test", begin, end, integer, integer);
    }

    @Test
    void callsAtTheSameTimeMayComeInAnyOrder() {
        assertThat(RealTimeOrder.violation(List.of(call(0, 10, 5), call(10, 20, 4), call(5, 15, 3))))
                .isNull();
        assertThat(RealTimeOrder.violation(List.of())).isNull();
    }

    @Test
    void aCallThatBeganAfterAnotherHadReturnedNeedsTheGreaterInteger() {
        List<Call> calls = List.of(call(0, 10, 5), call(1, 30, 1), call(11, 20, 4));
        assertThat(RealTimeOrder.violation(calls)).isEqualTo(new RealTimeOrder.Violation(calls.get(0), calls.get(2)));
    }

    /** Two processes with blocks are in no such order. */
    @Test
    void blocksOfTwoProcessesAreFound() throws Exception {
        IntegerSequenceConfig config = IntegerSequenceConfig.builder("numbers")
                .blockSize(10)
                .store(new MemoryBlockStore())
                .build();
        try (IntegerSequence one = SnowcastSystem.standaloneIntegerSequence(config);
                IntegerSequence other = SnowcastSystem.standaloneIntegerSequence(config)) {
            RealTimeOrder order = new RealTimeOrder();
            order.draw(one, "one", 1);
            order.draw(other, "the other", 1);
            order.draw(one, "one", 1);
            assertThatThrownBy(order::stopAndCheck).hasMessageContaining("by=the other");
        }
    }
}
