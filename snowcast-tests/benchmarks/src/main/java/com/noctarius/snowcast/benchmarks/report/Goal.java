// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import java.util.OptionalDouble;

/**
 * What was wanted, and what was found.
 *
 * @param what what was measured
 * @param goal what was wanted
 * @param value what was found, if it is a number
 * @param figure the same, as it is written
 * @param verdict whether that meets the goal
 */
record Goal(String what, String goal, OptionalDouble value, String figure, String verdict) {
    private static final String AT_LEAST = "≥ ";
    private static final String NOT_MEASURED = "not measured";
    private static final String MISSED = "**no**";

    /** At least so much of something, such as a ratio; the unit is written behind the figure. */
    static Goal atLeast(String what, double wanted, String unit, OptionalDouble found) {
        return of(what, AT_LEAST + number(wanted) + unit, unit, found, found.orElse(0) >= wanted);
    }

    /** At most so much. */
    static Goal atMost(String what, double wanted, String unit, OptionalDouble found) {
        return of(what, "≤ " + number(wanted) + unit, unit, found, found.orElse(0) <= wanted);
    }

    /** A figure without a goal. */
    static Goal reported(String what, String goal, String figure) {
        return figure.isEmpty()
                ? new Goal(what, goal, OptionalDouble.empty(), NOT_MEASURED, "")
                : new Goal(what, goal, OptionalDouble.empty(), figure, "reported");
    }

    boolean isMoreBetter() {
        return goal.startsWith(AT_LEAST);
    }

    boolean isMissed() {
        return verdict.equals(MISSED);
    }

    private static Goal of(String what, String goal, String unit, OptionalDouble found, boolean met) {
        return found.isEmpty()
                ? new Goal(what, goal, found, NOT_MEASURED, "")
                : new Goal(what, goal, found, Figures.text(found.getAsDouble()) + unit, met ? "yes" : MISSED);
    }

    /** Returns a round number as it is usually written. */
    private static String number(double value) {
        return value == Math.rint(value) ? String.format("%,d", (long) value) : Double.toString(value);
    }
}
