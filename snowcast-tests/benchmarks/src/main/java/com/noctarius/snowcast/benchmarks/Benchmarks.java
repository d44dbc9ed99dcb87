// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the benchmarks and writes their figures to a file; docs/dev/benchmarks.md has the command. */
public final class Benchmarks {
    private static final String ALL = "all";

    private Benchmarks() {}

    /**
     * Runs the benchmarks.
     *
     * @param args the file to write; the parts to run, separated by commas, or {@code all}; and the factor for the
     *     normal durations
     */
    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[0]);
        Effort effort = new Effort(Double.parseDouble(args[2]));
        for (Part part : parts(args[1])) {
            List<Result> found = part.run(effort);
            List<Result> former = Files.exists(file) ? Results.read(file) : List.of();
            Results.write(file, merge(former, found));
        }
        Progress.say("done: " + file);
        System.exit(0);
    }

    private static List<Part> parts(String titles) {
        return titles.equals(ALL)
                ? List.of(Part.values())
                : Arrays.stream(titles.split(",")).map(Part::byTitle).toList();
    }

    /**
     * Adds new figures. If there are new figures of a group, drops all former figures of that group, because figures
     * are comparable only if they come from one run. From {@link Machine#GROUP}, drops only the figures of the same
     * part.
     */
    static List<Result> merge(List<Result> former, List<Result> found) {
        Set<String> replaced = found.stream().map(Benchmarks::unit).collect(Collectors.toSet());
        Stream<Result> kept = former.stream().filter(result -> !replaced.contains(unit(result)));
        return List.copyOf(
                new LinkedHashSet<>(Stream.concat(kept, found.stream()).toList()));
    }

    private static String unit(Result result) {
        return result.group().equals(Machine.GROUP) ? Machine.GROUP + " of " + result.subject() : result.group();
    }
}
