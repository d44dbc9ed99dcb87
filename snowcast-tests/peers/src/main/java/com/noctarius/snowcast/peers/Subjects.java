// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.util.List;
import java.util.regex.Pattern;
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

    /** Whether a duplicate is a defect of snowcast. */
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

    /** Returns those whose names match, as {@code -Dsubjects='snowcast.*|agrona'} chooses them. */
    static List<Subject> matching(String pattern) {
        Pattern names = Pattern.compile(pattern);
        return ALL.stream()
                .filter(subject -> names.matcher(subject.name()).matches())
                .toList();
    }
}
