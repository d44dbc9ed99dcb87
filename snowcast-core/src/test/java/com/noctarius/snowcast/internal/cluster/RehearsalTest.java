// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.noctarius.snowcast.internal.owner.TableRules;
import org.junit.jupiter.api.Test;

/** A failed rehearsal would be noticed by nobody but the first copies of a new member. */
class RehearsalTest {
    private static final int LAST_NODE_ID = 8_191;

    @Test
    void aRehearsalNeedsNothingOfItsMember() {
        rehearse(new TableRules(300_000, 60_000, 480_000, 0, LAST_NODE_ID));
    }

    @Test
    void aRehearsalNeedsOneNodeIdOnly() {
        rehearse(new TableRules(300_000, 60_000, 480_000, LAST_NODE_ID, LAST_NODE_ID));
    }

    private static void rehearse(TableRules rules) {
        InternalSerializationService serialization = new DefaultSerializationServiceBuilder().build();
        try {
            assertThatCode(() -> ReplicationOperation.rehearse(serialization, rules))
                    .doesNotThrowAnyException();
        } finally {
            serialization.dispose();
        }
    }
}
