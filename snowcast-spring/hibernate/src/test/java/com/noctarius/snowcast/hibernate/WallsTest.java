// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.base.NotReady;
import com.noctarius.snowcast.internal.base.PatientStart;
import com.noctarius.snowcast.internal.base.RecentMetrics;
import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.internal.hazelcast.HazelcastVersion;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import com.noctarius.snowcast.jackson.JsonSnowcastId;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.Test;

class WallsTest {
    private static final String ROOT = "com.noctarius.snowcast.";
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("com.noctarius.snowcast");

    @Test
    void onlyTheApiIsUsed() {
        assertThat(ALL.contain(SnowcastIdGenerator.class)).isTrue();
        assertThat(ALL.contain(JsonSnowcastId.class)).isTrue();
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "hibernate..", ROOT + "jackson..", ROOT + "spring..")
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + "internal..")
                        .and(not(belongToAnyOf(
                                NotReady.class,
                                Threads.class,
                                PatientStart.class,
                                RecentMetrics.class,
                                SnowcastProperty.class,
                                HazelcastVersion.class)))
                        .and(not(name(ROOT + "internal.jdbc.TableNames"))))
                .check(ALL);
    }

    /** An IDE proposes the types of all modules, so a name must identify one type. */
    @Test
    void noTwoTypesOfTheApiHaveOneName() {
        List<String> names = ALL.stream()
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !type.getPackageName().startsWith(ROOT + "internal"))
                .map(JavaClass::getSimpleName)
                .filter(name -> !name.equals("package-info"))
                .toList();
        assertThat(names)
                .contains("SnowcastId", "SnowcastSequence", "SnowflakeId")
                .doesNotHaveDuplicates();
    }

    @Test
    void eachKnowsItsOwnLibraryOnly() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "hibernate..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + "jackson..", ROOT + "spring..", "org.springframework..")
                .check(ALL);
        noClasses()
                .that()
                .haveSimpleNameStartingWith("Jackson2")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("tools.jackson..")
                .check(ALL);
        noClasses()
                .that()
                .haveSimpleNameStartingWith("Jackson3")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml.jackson.databind..")
                .check(ALL);
    }
}
