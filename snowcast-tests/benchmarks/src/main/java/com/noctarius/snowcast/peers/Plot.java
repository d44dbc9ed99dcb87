// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.peers.History.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws a run as SVG: the IDs per second of each place over time, and the faults as grey areas. */
final class Plot {
    private static final int WIDTH = 960;
    private static final int LEFT = 60;
    private static final int TOP = 40;
    private static final int LANE = 60;
    private static final int GAP = 12;
    private static final int LEGEND_LINE = 15;
    private static final int LEGEND_COLUMNS = 2;
    private static final double NANOS = 1e9;
    private static final String[] COLOURS = {"#1f77b4", "#2ca02c", "#9467bd", "#d62728"};

    private final String title;
    private final History history;
    private final StringBuilder svg = new StringBuilder();

    private Plot(String title, History history) {
        this.title = title;
        this.history = history;
    }

    static String of(String title, History history) {
        return new Plot(title, history).draw();
    }

    private String draw() {
        int lanes = Schedule.PLACES + 1;
        int bottom = TOP + lanes * (LANE + GAP);
        int legendLines = (history.faults().size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
        int height = bottom + 25 + legendLines * LEGEND_LINE + 10;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">",
                WIDTH, height);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, height);
        text(LEFT, 16, "start", title + ": IDs per second of each process; grey: a fault");
        for (int i = 0; i < history.faults().size(); i++) {
            drawFault(i, bottom);
        }
        for (int lane = 0; lane < lanes; lane++) {
            drawLane(lane);
        }
        drawSeconds(bottom);
        svg.append("</svg>\n");
        return svg.toString();
    }

    private double x(long nanos) {
        return LEFT + (WIDTH - LEFT - 10.0) * (nanos - history.begin()) / (history.end() - history.begin());
    }

    private void drawFault(int index, int bottom) {
        Span fault = history.faults().get(index);
        double from = x(fault.begin());
        add(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#dddddd\"/>",
                from, TOP, Math.max(1, x(fault.end()) - from), bottom - TOP - GAP);
        text((int) from, TOP - 4, "start", Integer.toString(index + 1));
        int legendX = LEFT + index % LEGEND_COLUMNS * (WIDTH - LEFT) / LEGEND_COLUMNS;
        int legendY = bottom + 35 + index / LEGEND_COLUMNS * LEGEND_LINE;
        text(legendX, legendY, "start", (index + 1) + " " + fault.fault().title() + ": " + fault.detail());
    }

    /**
     * Draws the IDs of one place in its own lane. The last lane is for the processes with {@link Node#NO_PLACE}, except
     * for crowds.
     */
    private void drawLane(int lane) {
        boolean isOfOthers = lane == Schedule.PLACES;
        int bottom = TOP + lane * (LANE + GAP) + LANE;
        double[] rates = rates(isOfOthers ? Node.NO_PLACE : lane);
        double highest = Math.max(1, Arrays.stream(rates).max().orElse(1));
        List<String> points = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            points.add(String.format(Locale.ROOT, "%d,%.1f", LEFT + i, bottom - LANE * rates[i] / highest));
        }
        add("<polyline fill=\"none\" stroke=\"%s\" points=\"%s\"/>", COLOURS[lane], String.join(" ", points));
        add("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#888888\"/>", LEFT, bottom, WIDTH - 10, bottom);
        text(LEFT - 5, bottom, "end", "0");
        text(LEFT - 5, bottom - LANE + 10, "end", String.format(Locale.ROOT, "%.0f", highest));
        text(LEFT - 5, bottom - LANE / 2, "end", isOfOthers ? "others" : "place " + lane);
    }

    /** Returns the IDs per second for each column of the picture. */
    private double[] rates(int place) {
        double[] rates = new double[WIDTH - LEFT - 10];
        double perColumn = (history.end() - history.begin()) / NANOS / rates.length;
        history.processes().stream()
                .filter(process -> process.place() == place && !process.isOfCrowd())
                .flatMap(process -> process.calls().stream())
                .filter(call -> call.id() != null)
                .forEach(call -> rates[Math.min(rates.length - 1, (int) (x(call.after()) - LEFT))] += 1 / perColumn);
        return rates;
    }

    private void drawSeconds(int bottom) {
        long seconds = (long) ((history.end() - history.begin()) / NANOS);
        long step = Math.max(10, seconds / 10 / 10 * 10);
        for (long at = 0; at <= seconds; at += step) {
            text((int) x(history.begin() + (long) (at * NANOS)), bottom + 5, "middle", at + " s");
        }
    }

    private void text(int x, int y, String anchor, String text) {
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>", x, y, anchor, escape(text));
    }

    private static String escape(String text) {
        return text.chars()
                .mapToObj(each -> switch (each) {
                    case '<' -> "&lt;";
                    case '>' -> "&gt;";
                    case '&' -> "&amp;";
                    default -> Character.toString(each);
                })
                .collect(Collectors.joining());
    }

    @SuppressWarnings("AnnotateFormatMethod") // All callers are in this class.
    private void add(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
