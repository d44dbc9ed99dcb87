// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The names of a partition that were destroyed: there may be very many, each with thousands of node IDs. */
class PartitionContainerTest {
    private static final long NOW = 1_700_000_000_000L;
    /** How long a creation waits for holders of a destroyed sequencer. */
    private static final long SETTLING = 10_000;

    private final PartitionContainer container = new PartitionContainer();

    private void attach(String name, long nowMillis) {
        Definition definition = new Definition(0, SnowcastLayout.DEFAULT, 1, null);
        NodeTable table = container.table(name);
        table.attach(
                new AttachRequest(name, definition, 0, UUID.randomUUID(), 1, nowMillis, 0, -1),
                TestOwner.at(nowMillis),
                new TableRules(60_000, 60_000, 60_000, 0, 8_191));
        container.put(name, table);
    }

    /** As the handler of a destruction does. */
    private void destroy(String name, long nowMillis) {
        NodeTable table = container.table(name);
        table.destroy(table.lifecycle.incarnation(), TestOwner.at(nowMillis));
        container.noteDestroyed(name, nowMillis);
    }

    private int nodeIds(String name) {
        return container.table(name).entries.size();
    }

    private void createAndDestroy(String name, long nowMillis) {
        attach(name, nowMillis);
        destroy(name, nowMillis);
    }

    @Test
    void theNextDestructionForgetsTheNodeIdsOfThoseBeforeWhenTheirHoldersAreAwaitedNoMore() {
        createAndDestroy("first", NOW);
        createAndDestroy("second", NOW + 1);
        assertThat(nodeIds("first")).as("its holder may give it back").isOne();

        createAndDestroy("third", NOW + SETTLING);
        assertThat(nodeIds("first")).isZero();
        assertThat(nodeIds("second")).isOne();
        assertThat(nodeIds("third")).isOne();

        createAndDestroy("fourth", NOW + 3 * SETTLING);
        assertThat(nodeIds("second") + nodeIds("third")).isZero();
    }

    /** Its node IDs are those of the next incarnation by then. */
    @Test
    void aNameThatWasCreatedAgainForgetsNothing() {
        createAndDestroy("first", NOW);
        attach("first", NOW + SETTLING);
        createAndDestroy("second", NOW + 3 * SETTLING);
        assertThat(nodeIds("first")).isOne();
    }

    @Test
    void aNameThatIsDestroyedTwiceIsForgottenAfterTheSecondTime() {
        createAndDestroy("first", NOW);
        createAndDestroy("first", NOW + SETTLING);
        createAndDestroy("second", NOW + 2 * SETTLING - 1);
        assertThat(nodeIds("first")).isOne();
        createAndDestroy("third", NOW + 2 * SETTLING);
        assertThat(nodeIds("first")).isZero();
    }
}
