// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs a test for n = 0, 1, 2 and so on, until its agent or change has no n-th transaction. */
final class EachTransaction {
    private EachTransaction() {}

    /** Ends an agent or a change before one of its transactions. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    interface Test {
        /** Interrupts the n-th transaction. Returns false if there was no n-th transaction. */
        boolean isReached(int n) throws Exception;
    }

    static void interrupted(int moreThan, Test test) throws Exception {
        int count = 0;
        while (test.isReached(count)) {
            count++;
        }
        assertThat(count).as("transactions").isGreaterThan(moreThan);
    }
}
