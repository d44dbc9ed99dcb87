// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;

/** Answers that stay the same until an operator changes tables or rights, so that no caller waits for another one. */
final class Refusal {
    private Refusal() {}

    static boolean is(DriverException problem) {
        return problem instanceof QueryValidationException
                || (problem instanceof NoCoordinatorException none && none.isForEver());
    }

    /** Fails, instead of another attempt, if a problem is one; {@code what} says what was tried. */
    static void requireNone(String what, DriverException problem) {
        if (is(problem)) {
            throw new NonTransientBlockStoreException(what + ": " + message(problem), problem);
        }
    }

    /** Returns the problem, once, and what to do about it. */
    static String message(DriverException problem) {
        if (problem instanceof UnauthorizedException) {
            return problem.getMessage() + ": grant the role SELECT and MODIFY on the tables";
        }
        if (problem instanceof InvalidQueryException) {
            return problem.getMessage() + ": run CassandraSchema.create if the tables are missing";
        }
        return String.valueOf(problem.getMessage());
    }
}
