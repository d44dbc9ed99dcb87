// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class TestModuleArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(TestIds.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void onlyTheApiIsUsed() {
        noClasses()
                .should()
                .dependOnClassesThat(not(resideInAnyPackage(
                        "java..",
                        "com.noctarius.snowcast",
                        "com.noctarius.snowcast.ids",
                        "com.noctarius.snowcast.test",
                        "org.jspecify.annotations",
                        "org.junit.jupiter.api..",
                        "org.assertj.core.api..")))
                .check(CLASSES);
    }

    @Test
    void sequencersNeedNeitherJUnitNorAssertJ() {
        noClasses()
                .that()
                .haveSimpleNameStartingWith("TestSequencer")
                .or()
                .haveSimpleNameStartingWith("TestIntegerSequence")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.junit..", "org.assertj.."))
                .check(CLASSES);
    }
}
