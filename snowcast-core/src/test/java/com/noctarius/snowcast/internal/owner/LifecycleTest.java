// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    private static final long NOW = 1_700_000_000_000L;

    private record Definition(int backupCount) implements Lifecycle.BackedUp {
        @Override
        public List<String> inWords() {
            return List.of("colour blue", "backup count " + backupCount);
        }
    }

    private static final Definition DEFINITION = new Definition(1);

    private final Lifecycle<Definition> unused = Lifecycle.unused("orders");
    private final Lifecycle<Definition> alive = unused.takenOver(1, NOW).created(DEFINITION, 0, NOW);

    @Test
    void onlyTheDifferenceOfTwoDefinitionsIsTold() {
        assertThat(DEFINITION.differenceTo(new Definition(3)))
                .isEqualTo(
                        " is registered with another definition: backup count 1, not backup count 3 (take the same on"
                                + " all members and clients, or another name)");
    }

    @Test
    void aNewOwnerBeginsFarAboveTheOneBeforeItWhateverTheClocksShow() {
        Lifecycle<Definition> changed = alive.changed().changed();

        for (long clock : new long[] {NOW - 60_000, NOW, NOW + 60_000}) {
            assertThat(changed.takenOver(0, clock).changeNumber()).isGreaterThan(changed.changeNumber() + 1_000_000);
        }
    }

    @Test
    void twoOwnersThatTakeOverAtTheSameMomentCountDifferently() {
        assertThat(alive.takenOver(7, NOW).changeNumber())
                .isNotEqualTo(alive.takenOver(8, NOW).changeNumber());
    }

    @Test
    void anIncarnationIsNeverOneThatWasInUseBefore() {
        Lifecycle<Definition> destroyed = alive.destroyed(alive.incarnation());

        for (long clock : new long[] {NOW - 60_000, NOW, NOW + 60_000}) {
            Lifecycle<Definition> next = destroyed.created(DEFINITION, 0, clock);
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
        Lifecycle<Definition> destroyed = alive.destroyed(alive.incarnation());

        assertThat(destroyed.living()).isNull();
        assertThat(destroyed.backupCount()).isEqualTo(1);
        assertThat(destroyed.isDestroyed(alive.incarnation())).isTrue();
        assertThat(destroyed.isDestroyed(0)).isFalse();
        assertThat(destroyed.changeNumber()).isGreaterThan(alive.changeNumber());
    }

    @Test
    void anAdoptedIncarnationKeepsTheTombstoneAndTheOrderOfChangesOfThisSide() {
        Lifecycle<Definition> destroyed = alive.destroyed(alive.incarnation());
        Lifecycle<Definition> losing = unused.created(DEFINITION, 0, NOW + 1);

        Lifecycle<Definition> adopted =
                destroyed.countingAbove(losing.changeNumber()).adopted(losing, destroyed.destroyedUpTo());

        assertThat(adopted.isAlive()).isTrue();
        assertThat(adopted.isDestroyed(alive.incarnation())).isTrue();
        assertThat(adopted.changeNumber()).isEqualTo(destroyed.changeNumber());
    }
}
