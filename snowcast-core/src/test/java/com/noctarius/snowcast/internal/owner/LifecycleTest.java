// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    private static final long NOW = 1_700_000_000_000L;

    private static final Definition DEFINITION = new Definition(0, SnowcastLayout.DEFAULT, 1, null);

    private final Lifecycle unused = Lifecycle.unused("orders");
    private final Lifecycle alive = unused.ofNewOwner(1, NOW).created(DEFINITION, 0, NOW);

    @Test
    void onlyTheDifferenceOfTwoDefinitionsIsTold() {
        assertThat(DEFINITION.differenceTo(new Definition(0, SnowcastLayout.DEFAULT, 3, null)))
                .isEqualTo(
                        " is registered with another definition: backup count 1, not backup count 3 (take the same in"
                                + " all processes, or another name)");
    }

    @Test
    void aNewOwnerBeginsFarAboveTheOneBeforeItWhateverTheClocksShow() {
        Lifecycle changed = alive.changed().changed();

        for (long clock : new long[] {NOW - 60_000, NOW, NOW + 60_000}) {
            assertThat(changed.ofNewOwner(0, clock).changeNumber()).isGreaterThan(changed.changeNumber() + 1_000_000);
        }
    }

    @Test
    void twoOwnersThatTakeOverAtTheSameMomentCountDifferently() {
        assertThat(alive.ofNewOwner(7, NOW).changeNumber())
                .isNotEqualTo(alive.ofNewOwner(8, NOW).changeNumber());
    }

    @Test
    void anIncarnationIsNeverOneThatWasInUseBefore() {
        Lifecycle destroyed = alive.destroyed();

        for (long clock : new long[] {NOW - 60_000, NOW, NOW + 60_000}) {
            Lifecycle next = destroyed.created(DEFINITION, 0, clock);
            assertThat(next.incarnation()).isGreaterThan(destroyed.destroyedUpTo());
            assertThat(next.isAlive()).isTrue();
        }
    }

    @Test
    void aHolderThatOutlivedTheDataBringsItsIncarnationBack() {
        assertThat(unused.created(DEFINITION, alive.incarnation(), NOW + 60_000).incarnation())
                .isEqualTo(alive.incarnation());
    }

    @Test
    void aDestroyedIncarnationHasADefinitionButNotALivingOne() {
        Lifecycle destroyed = alive.destroyed();

        assertThat(destroyed.living()).isNull();
        assertThat(destroyed.backupCount()).isEqualTo(1);
        assertThat(destroyed.isDestroyed(alive.incarnation())).isTrue();
        assertThat(destroyed.isDestroyed(0)).isFalse();
        assertThat(destroyed.changeNumber()).isGreaterThan(alive.changeNumber());
    }

    @Test
    void anAdoptedIncarnationKeepsTheTombstoneAndTheOrderOfChangesOfThisSide() {
        Lifecycle destroyed = alive.destroyed();
        Lifecycle losing = unused.created(DEFINITION, 0, NOW + 1);

        Lifecycle adopted = destroyed.adopted(losing);

        assertThat(adopted.isAlive()).isTrue();
        assertThat(adopted.isDestroyed(alive.incarnation())).isTrue();
        assertThat(adopted.changeNumber()).isEqualTo(destroyed.changeNumber());
    }
}
