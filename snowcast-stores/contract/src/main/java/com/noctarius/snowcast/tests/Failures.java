// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;

/** Asserts that calls throw exceptions. */
public final class Failures {
    private Failures() {}

    /**
     * Asserts that a call throws an exception, whose message has all the given parts.
     *
     * @param type the type of the exception, or a supertype
     * @param call the call
     * @param parts the parts of the message, in any order
     */
    public static void assertFails(Class<? extends Throwable> type, ThrowingCallable call, String... parts) {
        ThrowableAssertAlternative<? extends Throwable> thrown =
                assertThatExceptionOfType(type).isThrownBy(call);
        for (String part : parts) {
            thrown.withMessageContaining(part);
        }
    }
}
