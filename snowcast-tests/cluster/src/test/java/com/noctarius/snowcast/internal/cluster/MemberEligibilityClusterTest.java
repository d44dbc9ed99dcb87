// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.owner.Electorate;
import com.noctarius.snowcast.internal.owner.Electorate.Eligibility;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests reads of the member list while this member leaves its cluster for another one. */
@Tag("integration")
class MemberEligibilityClusterTest {
    private final TestHazelcastFactory factory = new TestHazelcastFactory();

    @AfterEach
    void terminate() {
        factory.terminateAll();
    }

    /** With the former cluster's list, the member would be alone and confirm itself. */
    @Test
    void aLookThatReadTheFormerListDoesNotCountAfterTheMemberHasLeft() throws InterruptedException {
        NodeEngineImpl nodeEngine = Accessors.getNodeEngineImpl(factory.newHazelcastInstance(new Config()));
        Electorate electorate = new Electorate(SystemClock.INSTANCE, 5_000, 10_000, 0);
        AtomicReference<MemberEligibility> toReset = new AtomicReference<>();
        Thread leaving = new Thread(() -> Objects.requireNonNull(toReset.get()).reset());
        MemberEligibility eligibility = new MemberEligibility(
                nodeEngine,
                electorate,
                member -> {
                    leaving.start();
                    awaitEndOrBlock(leaving);
                    return false;
                },
                nodeEngine.getLogger(MemberEligibility.class));
        toReset.set(eligibility);
        assertThat(eligibility.look()).isEqualTo(Eligibility.CONFIRMED);
        leaving.join();

        assertThat(electorate.self()).isNull();
        UUID elder = new UUID(0, 1);
        UUID self = new UUID(0, 2);
        assertThat(electorate.look(self, List.of(elder, self), 1)).isEqualTo(Eligibility.UNCONFIRMED);
    }

    private static void awaitEndOrBlock(Thread thread) {
        while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
    }
}
