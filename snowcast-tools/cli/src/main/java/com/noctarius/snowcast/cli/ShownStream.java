// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Replaces terminal control characters in all printed text, except in that of {@link #write}. */
final class ShownStream extends PrintStream {
    private ShownStream(PrintStream out) {
        super(out, false, StandardCharsets.UTF_8);
    }

    static ShownStream of(PrintStream out) {
        return out instanceof ShownStream shown ? shown : new ShownStream(out);
    }

    /** Called by all other printing methods. */
    @Override
    public void print(String text) {
        super.print(Text.visible(String.valueOf(text)));
    }

    /** Writes a control sequence, which moves the cursor or clears the screen. */
    void control(String sequence) {
        writeBytes(sequence.getBytes(StandardCharsets.US_ASCII));
        flush();
    }
}
