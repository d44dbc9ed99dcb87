// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A goal for a figure, and whether the measured figure meets it.
 *
 * @param goal the wanted figure, as text
 * @param figure the measured figure, as text
 * @param verdict whether the figure meets the goal, as text
 */
record Goal(String what, String goal, String figure, String verdict) {
    private static final String NOT_MEASURED = "not measured";
    private static final String MISSED = "**no**";

    /** Returns a goal with a minimum. The unit is written after the figure. */
    static Goal atLeast(String what, double wanted, String unit, OptionalDouble found) {
        return of(what, "≥ " + number(wanted) + unit, unit, found, found.orElse(0) >= wanted);
    }

    static Goal atMost(String what, double wanted, String unit, OptionalDouble found) {
        return of(what, "≤ " + number(wanted) + unit, unit, found, found.orElse(0) <= wanted);
    }

    /** Returns a goal that is not a number, so that its figure is only reported. */
    static Goal reported(String what, String goal, String figure) {
        return figure.isEmpty() ? new Goal(what, goal, NOT_MEASURED, "") : new Goal(what, goal, figure, "reported");
    }

    boolean isMissed() {
        return verdict.equals(MISSED);
    }

    private static Goal of(String what, String goal, String unit, OptionalDouble found, boolean met) {
        return found.isEmpty()
                ? new Goal(what, goal, NOT_MEASURED, "")
                : new Goal(what, goal, Figures.text(found.getAsDouble()) + unit, met ? "yes" : MISSED);
    }

    /** Returns a number as text; a whole number has no decimals. */
    private static String number(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%,d", (long) value) : Double.toString(value);
    }
}
