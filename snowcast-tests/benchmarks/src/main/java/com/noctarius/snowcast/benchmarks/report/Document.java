// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

/** A text with places for generated text, each between {@code <!-- name -->} and {@code <!-- /name -->}. */
record Document(String text) {
    /** Returns the document with {@code content} in the place {@code name}. */
    Document with(String name, String content) {
        String begin = "<!-- " + name + " -->\n";
        int from = text.indexOf(begin);
        int to = text.indexOf("<!-- /" + name + " -->", from);
        if (from < 0 || to < 0) {
            throw new IllegalArgumentException("the document has no place for " + name);
        }
        return new Document(text.substring(0, from) + begin + "\n" + content + "\n" + text.substring(to));
    }
}
