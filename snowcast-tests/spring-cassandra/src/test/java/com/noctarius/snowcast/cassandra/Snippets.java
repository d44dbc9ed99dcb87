// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Reads and compiles the code blocks of the documents. */
final class Snippets {
    private static final Path DOCUMENTS = Path.of("../../docs");

    private Snippets() {}

    static List<String> of(String document, String language) {
        Pattern block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL);
        try {
            return block.matcher(Files.readString(DOCUMENTS.resolve(document)))
                    .results()
                    .map(match -> match.group(1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the only code block that contains a text. */
    static String only(String document, String language, String text) {
        List<String> found = of(document, language).stream()
                .filter(snippet -> snippet.contains(text))
                .toList();
        assertThat(found).as(document + ": " + text).hasSize(1);
        return found.get(0);
    }

    static void compile(String code, Path output) {
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return code;
                    }
                };
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        boolean compiled = compiler.getTask(
                        messages, null, null, List.of("-d", output.toString(), "-proc:none"), null, List.of(source))
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }
}
