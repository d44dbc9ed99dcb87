// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that the classes and members named in the design document exist. */
class DesignTest {
    /** By simple name: two packages may each have a class of that name. */
    private static final Map<String, List<JavaClass>> CLASSES = new ClassFileImporter()
                    .importUrl(SnowcastLayout.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation())
                    .stream()
                    .filter(each -> !each.getSimpleName().isEmpty())
                    .collect(Collectors.groupingBy(JavaClass::getSimpleName));

    /** Matches a type, optionally with a member or a nested type. */
    private static final Pattern NAMED = Pattern.compile("\\b([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?");

    /** Names that are not classes of this module. */
    private static final Set<String> OTHERS = Set.of("HazelcastInstance", "Hazelcast", "IDs");

    private static String walks() throws IOException {
        String design = Files.readString(Path.of("../docs/dev/design.md"));
        int start = design.indexOf("## Where it is");
        return design.substring(start, design.indexOf("## Glossary", start));
    }

    @Test
    void theWalksNameClassesAndMembersThatExist() throws IOException {
        Set<String> missing = new TreeSet<>();
        int found = 0;
        for (String line :
                walks().lines().filter(each -> each.startsWith("    ")).toList()) {
            Matcher named = NAMED.matcher(line);
            while (named.find()) {
                found++;
                if (!exists(named.group(1), named.group(2))) {
                    missing.add(named.group());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(found).isGreaterThan(60);
    }

    private static boolean exists(String type, @Nullable String member) {
        List<JavaClass> named = CLASSES.getOrDefault(type, List.of());
        return OTHERS.contains(type)
                || (!named.isEmpty()
                        && (member == null
                                || CLASSES.containsKey(member)
                                || named.stream()
                                        .flatMap(each -> each.getAllMembers().stream())
                                        .map(JavaMember::getName)
                                        .anyMatch(member::equals)));
    }

    @Test
    void everyPackageHasItsLine() throws IOException {
        Set<String> packages = CLASSES.values().stream()
                .flatMap(List::stream)
                .map(JavaClass::getPackageName)
                .map(name -> name.replaceFirst("com\\.noctarius\\.snowcast\\.?", ""))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> listed = Pattern.compile("(?m)^      ([a-z.]+) ")
                .matcher(walks())
                .results()
                .map(line -> line.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(listed).isEqualTo(packages);
    }
}
