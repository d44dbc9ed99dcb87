// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the documentation site builds. The build fails if a link or an anchor leads nowhere, or if a page is not
 * in the navigation.
 */
@Tag("integration")
class SiteTest {
    private static final Path DOCS = Path.of("../../docs");
    private static final Path SITE = Path.of("target/site").toAbsolutePath();

    @Test
    void everyPageIsListedAndEveryLinkLeadsSomewhere() throws Exception {
        assumeTrue(Files.exists(DOCS.resolve("node_modules/vitepress")), "npm ci --prefix docs brings VitePress");
        Process build = build();
        String output = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(build.waitFor()).as(output).isZero();
        assertThat(SITE.resolve("operate/restart.html")).content().contains("id=\"the-high-water-mark\"");
        assertThat(SITE.resolve("hashmap.json")).content().contains("reference_configuration.md", "index.md");
    }

    private static Process build() {
        try {
            return new ProcessBuilder("npm", "run", "build", "--", "--outDir", SITE.toString())
                    .directory(DOCS.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            return Assumptions.abort("npm: " + e.getMessage());
        }
    }
}
