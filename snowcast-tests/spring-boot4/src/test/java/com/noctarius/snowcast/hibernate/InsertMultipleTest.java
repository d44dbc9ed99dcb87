// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.hibernate.Entities.Purchase;
import java.util.List;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code insertMultiple}, which only Hibernate 7 has. */
@Tag("integration")
class InsertMultipleTest {
    @Test
    void statelessSessionsInsertInBatches() {
        SnowcastSequencer orders = Members.standalone("orders", SnowcastLayout.DEFAULT, 5);
        try (SessionFactory factory = SessionFactories.build(orders, Purchase.class)) {
            List<Purchase> purchases =
                    IntStream.range(0, 1_000).mapToObj(Purchase::new).toList();
            factory.inStatelessTransaction(session -> session.insertMultiple(purchases));
            assertThat(purchases.stream().map(purchase -> purchase.id))
                    .isSortedAccordingTo(Long::compareUnsigned)
                    .doesNotHaveDuplicates()
                    .doesNotContain(0L);
            assertThat(factory.getStatistics().getPrepareStatementCount()).isEqualTo(1);
        }
    }
}
