// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.leases.FakeCoordinator.Extension;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Answers extensions at random: at once, later, twice, with a decision of now or of then, or not at all. */
final class RandomReplies {
    private final Random random;
    private final List<Runnable> delayed = new ArrayList<>();

    RandomReplies(Random random) {
        this.random = random;
    }

    /** A lost message. */
    static final class LostException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    void answer(FakeCoordinator coordinator) {
        if (coordinator.extensionCount() == 0) {
            return;
        }
        Extension extension = coordinator.takeExtension();
        switch (random.nextInt(4)) {
            case 0 -> extension.reply().completeExceptionally(new LostException());
            case 1 -> {
                List<ExtendReply> replies = coordinator.decide(extension);
                delayed.add(() -> extension.reply().complete(replies));
            }
            case 2 -> delayed.add(() -> extension.reply().complete(coordinator.decide(extension)));
            default -> {
                coordinator.decide(extension);
                extension.reply().complete(coordinator.decide(extension));
            }
        }
    }

    void deliver() {
        if (!delayed.isEmpty()) {
            delayed.remove(random.nextInt(delayed.size())).run();
        }
    }
}
