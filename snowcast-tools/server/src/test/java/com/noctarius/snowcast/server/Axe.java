// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** Checks the accessibility of a page with axe-core. */
final class Axe {
    private static final String RUN = """
            const done = arguments[arguments.length - 1];
            axe.run(document).then(result => done(JSON.stringify(
                result.violations.map(one => [one.id, one.help, one.nodes.map(node => node.html)]))));
            """;

    private Axe() {}

    static void assertNothingIsFound(Chromium browser, String where) throws IOException {
        try (InputStream script = new PathMatchingResourcePatternResolver()
                .getResources("classpath*:META-INF/resources/webjars/axe-core/*/axe.min.js")[0].getInputStream()) {
            browser.run(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
        assertThat(Objects.toString(browser.runAsync(RUN))).as(where).isEqualTo("[]");
    }
}
