// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Prints text without the characters that a terminal obeys: names, messages and input may have them. {@link #write}
 * does not look at what it is given.
 */
final class ShownStream extends PrintStream {
    private ShownStream(PrintStream out) {
        super(out, false, StandardCharsets.UTF_8);
    }

    static ShownStream of(PrintStream out) {
        return out instanceof ShownStream shown ? shown : new ShownStream(out);
    }

    /** All other methods that print call this one. */
    @Override
    public void print(String text) {
        super.print(Text.visible(String.valueOf(text)));
    }

    /** Moves the cursor, or clears the screen. */
    void control(String sequence) {
        writeBytes(sequence.getBytes(StandardCharsets.US_ASCII));
        flush();
    }
}
