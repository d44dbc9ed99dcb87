// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds a thread of the tested code until the test lets it continue. */
public final class Gate {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    /** Called by the thread that is held. */
    public void pass() {
        reached.countDown();
        await(opened);
    }

    public void awaitThread() {
        await(reached);
    }

    public void open() {
        opened.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(3, TimeUnit.MINUTES)) {
                throw new AssertionError("still waiting");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
