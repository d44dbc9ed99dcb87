// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
class WallClockTest {
    @Test
    void compilesIntoOneDirectoryTwice(@TempDir Path directory) {
        assumeThat(WallClock.compile(directory))
                .as("the library of a C compiler")
                .isPresent();
        assertThat(WallClock.compile(directory)).isPresent();
    }
}
