// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks that tests that start members or processes have a tag. A tag keeps a test out of {@code mvn test}. */
class TagsTest {
    @Test
    void whatStartsMembersOrProcessesIsTagged() {
        // The tests' own classes are enough: what they use of others is known by name.
        ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            noClasses()
                    .that()
                    .haveSimpleNameEndingWith("Test")
                    .and()
                    .areNotAnnotatedWith(Tag.class)
                    .should()
                    .transitivelyDependOnClassesThat()
                    .haveNameMatching(".*\\.(TestCluster|TestHazelcastFactory|JavaProcess)")
                    .check(new ClassFileImporter()
                            .importUrl(TagsTest.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()));
        });
    }
}
