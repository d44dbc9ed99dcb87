// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SnowcastServiceProviderTest {
    /**
     * A file system may ignore the case of names. The last two clusters differ only in the second half of a surrogate
     * pair.
     */
    @Test
    void noTwoClustersShareAFile() {
        List<String> clusters =
                List.of("dev", "Dev", "DEV", "dev/2", "dev_2", "dev_2f_2", "dev\uD83D\uDE00", "dev\uD83D\uDE01");
        assertThat(clusters.stream().map(SnowcastServiceProvider::fileName).map(name -> name.toLowerCase(Locale.ROOT)))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z0-9_-]+"));
    }
}
