// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;

/** Recognises failures that a retry cannot fix: a closed session, and errors that only an operator can fix. */
final class Refusal {
    private Refusal() {}

    static boolean is(DriverException problem) {
        return problem instanceof QueryValidationException
                || (problem instanceof NoCoordinatorException none && none.isForEver());
    }

    /** Throws {@link NonTransientBlockStoreException} if a failure is permanent; {@code what} begins the message. */
    static void requireNone(String what, DriverException problem) {
        if (is(problem)) {
            throw new NonTransientBlockStoreException(what + ": " + message(problem), problem);
        }
    }

    /** Returns the message of a problem, with the remedy if it is known. */
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
