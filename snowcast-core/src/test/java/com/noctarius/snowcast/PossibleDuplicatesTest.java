// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class PossibleDuplicatesTest {
    @Test
    void nullsAreRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> new PossibleDuplicates(nothing(), 1, Instant.EPOCH, Instant.EPOCH))
                .withMessage("sequencerName");
        assertThatNullPointerException()
                .isThrownBy(() -> new PossibleDuplicates("orders", 1, nothing(), Instant.EPOCH))
                .withMessage("from");
        assertThatNullPointerException()
                .isThrownBy(() -> new PossibleDuplicates("orders", 1, Instant.EPOCH, nothing()))
                .withMessage("to");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // The test passes invalid arguments on purpose.
    private static <T> T nothing() {
        return null;
    }
}
