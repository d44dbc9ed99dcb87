// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All generators. To add one, add a {@link Subject} to one of the lists here. */
final class Subjects {
    private static final List<Subject> ALL = Stream.of(
                    SnowcastSubjects.all(), NumberedSubjects.all(), FreeSubjects.all())
            .flatMap(List::stream)
            .toList();

    private Subjects() {}

    static List<Subject> all() {
        return ALL;
    }

    /** Returns whether a duplicate of this generator is a defect of snowcast. */
    static boolean isOurs(String name) {
        return SnowcastSubjects.all().stream()
                .anyMatch(subject -> subject.name().equals(name));
    }

    static Subject named(String name) {
        return ALL.stream()
                .filter(subject -> subject.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such generator: " + name));
    }

    /**
     * Returns the generators in groups. The generators of a group have the same needs and equal leases, so they run in
     * the same processes, each in its own thread.
     */
    static List<List<Subject>> inGroups(List<Subject> subjects) {
        return List.copyOf(subjects.stream()
                .collect(Collectors.groupingBy(Subjects::group, LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    private static String group(Subject subject) {
        return subject.needs() + " " + subject.lease();
    }

    /** Returns the generators whose names match a pattern, such as {@code -Dsubjects='snowcast.*|agrona'}. */
    static List<Subject> matching(String pattern) {
        Pattern names = Pattern.compile(pattern);
        return ALL.stream()
                .filter(subject -> names.matcher(subject.name()).matches())
                .toList();
    }
}
