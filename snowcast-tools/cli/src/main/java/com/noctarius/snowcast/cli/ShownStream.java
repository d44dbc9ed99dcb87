// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A stream that replaces terminal control characters in printed text, but not in written bytes. */
final class ShownStream extends PrintStream {
    private ShownStream(PrintStream out) {
        super(out, false, StandardCharsets.UTF_8);
    }

    static ShownStream of(PrintStream out) {
        return out instanceof ShownStream shown ? shown : new ShownStream(out);
    }

    /** {@code println} and {@code printf} call this method. */
    @Override
    public void print(String text) {
        super.print(Text.visible(String.valueOf(text)));
    }

    /** Writes a terminal control sequence unchanged. */
    void control(String sequence) {
        writeBytes(sequence.getBytes(StandardCharsets.US_ASCII));
        flush();
    }
}
