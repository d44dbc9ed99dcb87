// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.LEASE_MILLIS;
import static com.noctarius.snowcast.internal.leases.FakeCluster.START;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.leases.RandomReplies.LostException;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** A random schedule of two members whose clocks step, and whose renewals fail, are late, or are decided twice. */
abstract class TwoMemberSchedule {
    final Random random;
    final List<FakeMember> members;
    private final List<ManualClock> clocks =
            Stream.generate(() -> ManualClock.autoAdvancing(START)).limit(3).toList();
    private final RandomReplies replies;

    TwoMemberSchedule(long seed) {
        random = new Random(seed);
        replies = new RandomReplies(random);
        FakeCluster cluster = new FakeCluster(clocks.get(2));
        members = List.of(cluster.join(clocks.get(0)), cluster.join(clocks.get(1)));
    }

    abstract void generate(int index) throws InterruptedException;

    /** Runs a step that only the subclass has; {@code choice} is 9, 10, 11, 14 or 15. */
    abstract void doOther(int choice, int index);

    void step() {
        int index = random.nextInt(2);
        FakeMember member = members.get(index);
        try {
            int choice = random.nextInt(16);
            switch (choice) {
                case 0, 1, 2, 3, 12, 13 -> generate(index);
                case 4 -> {
                    long millis = random.nextInt(6) == 0 ? random.nextLong(LEASE_MILLIS) : random.nextInt(20);
                    clocks.forEach(clock -> clock.advanceMillis(millis));
                }
                case 5 -> stepWall(member.clock);
                case 6 -> member.keep();
                case 7 -> replies.answer(member.coordinator);
                case 8 -> replies.deliver();
                default -> doOther(choice, index);
            }
        } catch (SnowcastException | LostException | OtherGenerator.ClockWentBackException e) {
            // A wrong state, clocks too far apart, no free node ID, a lost message, or a clock that went back: none of
            // these is an error.
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void stepWall(ManualClock clock) {
        long target = clocks.get(2).millis() + random.nextLong(-3_000, 3_000);
        clock.stepWall(target - clock.millis());
    }

    static void loseNextGrant(FakeMember member) {
        member.coordinator.onNextGrant(() -> {
            throw new LostException();
        });
    }
}
