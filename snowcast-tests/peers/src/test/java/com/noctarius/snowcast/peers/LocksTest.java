// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.Closeable;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocksTest {
    @Test
    void twoRunsDoNotWriteToOneDirectory(@TempDir Path directory) throws Exception {
        Closeable lock = Locks.take(directory);
        assertThatIllegalStateException()
                .isThrownBy(() -> Locks.take(directory))
                .withMessage("another run writes its results to " + directory
                        + "; choose another directory with -Dresults=");
        lock.close();
        Locks.take(directory).close();
    }
}
