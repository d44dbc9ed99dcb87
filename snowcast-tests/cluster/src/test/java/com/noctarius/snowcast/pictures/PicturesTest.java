// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.pictures;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastEpoch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pictures of the documents show what the code does; {@code -Dpictures=write} draws them anew. */
class PicturesTest {
    private static final Path ROOT = Path.of("../..");

    /** The ID is README's. */
    @Test
    void layout() throws Exception {
        Matcher id = Pattern.compile("next\\(\\);\\s+// (\\d+)").matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(id.find()).isTrue();
        SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
        check("layout.svg", LayoutPicture.of(Long.parseLong(id.group(1)), epoch));
    }

    @Test
    void leaseWithACrash() throws Exception {
        check("lease.svg", LeasePicture.draw());
    }

    @Test
    void splitAndMerge() throws Exception {
        check("split.svg", SplitPicture.draw());
    }

    @Test
    void windowsOverShards() throws Exception {
        check("windows.svg", WindowsPicture.draw());
    }

    @Test
    void twoTiers() throws Exception {
        check("tiers.svg", TiersPicture.draw());
    }

    private static void check(String name, String drawn) throws IOException {
        Path file = ROOT.resolve("docs/pictures").resolve(name);
        if ("write".equals(System.getProperty("pictures"))) {
            Files.writeString(file, drawn);
        }
        assertThat(drawn)
                .as("%s; -Dtest=PicturesTest -Dpictures=write draws it anew", name)
                .isEqualTo(Files.readString(file));
    }
}
