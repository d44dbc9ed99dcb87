// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.leases.FakeCoordinator.Renewal;
import com.noctarius.snowcast.internal.owner.RenewReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Answers each renewal in one of four ways at random: the request fails; the owner decides twice and replies at once;
 * the owner decides at once and the reply is late; or the owner decides late.
 */
final class RandomReplies {
    private final Random random;
    private final List<Runnable> delayed = new ArrayList<>();

    RandomReplies(Random random) {
        this.random = random;
    }

    static final class LostException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    void answer(FakeCoordinator coordinator) {
        if (coordinator.renewalCount() == 0) {
            return;
        }
        Renewal renewal = coordinator.takeRenewal();
        switch (random.nextInt(4)) {
            case 0 -> renewal.reply().completeExceptionally(new LostException());
            case 1 -> {
                List<RenewReply> replies = coordinator.decide(renewal);
                delayed.add(() -> renewal.reply().complete(replies));
            }
            case 2 -> delayed.add(() -> renewal.reply().complete(coordinator.decide(renewal)));
            default -> {
                coordinator.decide(renewal);
                renewal.reply().complete(coordinator.decide(renewal));
            }
        }
    }

    void deliver() {
        if (!delayed.isEmpty()) {
            delayed.remove(random.nextInt(delayed.size())).run();
        }
    }
}
