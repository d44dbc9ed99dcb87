// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.pictures;

import java.util.Locale;

/** A picture that can be read in light and in dark, needs no fonts but those that are there, and says what it shows. */
final class Svg {
    private static final String HEAD = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title desc">
            <title id="title">%s</title>
            <desc id="desc">%s</desc>
            <style>
            text { font: 14px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1b2435 }
            .paper { fill: #ffffff; stroke: #d4dbe6 }
            .small { font-size: 12px; fill: #4d5a70 }
            .strong { font-weight: 600 }
            .code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace }
            .blue { fill: #cfe1fc; stroke: #1b64da }
            .amber { fill: #fbe0c4; stroke: #b4530d }
            .green { fill: #cdeedd; stroke: #0f7b55 }
            .free { fill: #eef1f6; stroke: #a9b4c6 }
            .red { fill: #f9cfd3; stroke: #c2222f }
            .line { fill: none; stroke: #7d8aa0 }
            .now { fill: none; stroke: #7d8aa0; stroke-dasharray: 5 4 }
            .ceiling { fill: none; stroke: #1b64da; stroke-width: 2.5 }
            .crash { fill: none; stroke: #c2222f; stroke-width: 2 }
            @media (prefers-color-scheme: dark) {
            text { fill: #e6ebf4 }
            .paper { fill: #131a26; stroke: #34405a }
            .small { fill: #aab6ca }
            .blue { fill: #1d3a68; stroke: #6ea5ff }
            .amber { fill: #573111; stroke: #f0a060 }
            .green { fill: #12452f; stroke: #4fc796 }
            .free { fill: #202a3c; stroke: #56647e }
            .red { fill: #5c1d25; stroke: #ff7b86 }
            .ceiling { stroke: #6ea5ff }
            .crash { stroke: #ff7b86 }
            }
            </style>
            <rect class="paper" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>
            """;

    private final StringBuilder svg = new StringBuilder();

    Svg(int width, int height, String title, String description) {
        svg.append(HEAD.formatted(width, height, title, description, width - 1, height - 1));
    }

    Svg text(double x, double y, String classes, String text) {
        return anchored("start", x, y, classes, text);
    }

    Svg centred(double x, double y, String classes, String text) {
        return anchored("middle", x, y, classes, text);
    }

    Svg endingAt(double x, double y, String classes, String text) {
        return anchored("end", x, y, classes, text);
    }

    private Svg anchored(String anchor, double x, double y, String classes, String text) {
        return add(
                "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">%s</text>", x, y, classes, anchor, text);
    }

    Svg box(double x, double y, double width, double height, String classes) {
        return add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>",
                x, y, width, height, classes);
    }

    Svg line(double fromX, double fromY, double toX, double toY, String classes) {
        return add("<path d=\"M%.1f %.1fL%.1f %.1f\" class=\"%s\"/>", fromX, fromY, toX, toY, classes);
    }

    /** Draws a closed shape or a line of several parts. */
    Svg path(String data, String classes) {
        return add("<path d=\"%s\" class=\"%s\"/>", data, classes);
    }

    private Svg add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }

    @Override
    public String toString() {
        return svg + "</svg>\n";
    }
}
