// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.slice;

import static com.noctarius.snowcast.test.IdAssertions.assertThatId;
import static com.noctarius.snowcast.test.IdAssertions.assertThatIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.test.TestIds;
import com.noctarius.snowcast.test.TestIntegerSequence;
import com.noctarius.snowcast.test.TestSequencer;
import java.time.Instant;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // JUnit fills the fields.
class OrderDeskTest {
    @TestIds
    TestSequencer orders;

    @TestIds
    TestIntegerSequence products;

    @Test
    void idsAreKnownBeforehand() throws InterruptedException {
        OrderDesk desk = new OrderDesk(orders, products);
        assertThat(desk.newOrderId()).isEqualTo(265267917619200000L);
        assertThat(desk.newProductId()).isEqualTo(1);
    }

    @Test
    void anOrderHasItsTime() throws InterruptedException {
        orders.setTime(Instant.parse("2026-03-01T12:00:00Z"));
        assertThatId(new OrderDesk(orders, products).newOrderId(), orders)
                .hasTime(Instant.parse("2026-03-01T12:00:00Z"))
                .hasLogicalNodeId(0)
                .hasCounter(0);
    }

    @Test
    void noOrderWithoutAnId() {
        orders.detachLogicalNode();
        OrderDesk desk = new OrderDesk(orders, products);
        assertThatThrownBy(desk::newOrderId).isInstanceOf(SnowcastStateException.class);
    }

    @Test
    void ordersAreSorted() throws InterruptedException {
        OrderDesk desk = new OrderDesk(orders, products);
        long[] ids = {desk.newOrderId(), desk.newOrderId(), desk.newOrderId()};
        assertThatIds(ids, orders).areUnique().increase();
    }
}
