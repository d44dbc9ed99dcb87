// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.store.BlockStoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;

/** Maps a failure to a message and an exit code. */
final class Failures {
    private Failures() {}

    static int exitCode(Terminal terminal, Exception failure, boolean isVerbose) {
        terminal.out().flush();
        boolean isExpected = isExpected(failure);
        terminal.err().println(isExpected ? message(failure) : "This should not have happened: " + failure);
        if (isVerbose || !isExpected) {
            failure.printStackTrace(terminal.err());
        }
        return isUsers(failure) ? ExitCode.WRONG_USE : isExpected ? ExitCode.FAILED : ExitCode.BROKEN;
    }

    private static boolean isUsers(Exception failure) {
        return failure instanceof WrongUseException
                || failure instanceof NoSuchFileException
                || (failure instanceof UncheckedIOException && failure.getCause() instanceof NoSuchFileException);
    }

    private static boolean isExpected(Exception failure) {
        return failure instanceof WrongUseException
                || failure instanceof IOException
                || failure instanceof UncheckedIOException
                || failure instanceof SQLException
                || failure instanceof SnowcastException
                || failure instanceof BlockStoreException
                || isOfHazelcast(failure);
    }

    /** Compares the class name, because commands that need no cluster must not load classes of Hazelcast. */
    private static boolean isOfHazelcast(Exception failure) {
        return failure.getClass().getName().startsWith("com.hazelcast.");
    }

    private static String message(Exception failure) {
        if (failure instanceof UncheckedIOException && failure.getCause() instanceof IOException cause) {
            return message(cause);
        }
        if (failure instanceof NoSuchFileException) {
            return "there is no file " + failure.getMessage();
        }
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
}
