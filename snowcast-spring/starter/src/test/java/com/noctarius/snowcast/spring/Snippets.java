// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Reads and compiles the code of documents. */
public final class Snippets {
    private Snippets() {}

    /** Returns the code blocks of a document in a language. */
    public static List<String> of(Path document, String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(document))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    /** Compiles sources in one run, each in a package of its own unless it names one. Messages have its number. */
    public static void compile(List<String> sources, Path output) {
        StringWriter messages = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        messages,
                        null,
                        null,
                        List.of("-d", output.toString(), "-proc:none"),
                        null,
                        IntStream.range(0, sources.size())
                                .mapToObj(i -> new Source(i, sources.get(i)))
                                .toList())
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String code;

        private Source(int index, String code) {
            super(URI.create("string:///Snippet" + index + ".java"), JavaFileObject.Kind.SOURCE);
            this.code = code.startsWith("package ") ? code : "package snippet" + index + ";\n" + code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }
}
