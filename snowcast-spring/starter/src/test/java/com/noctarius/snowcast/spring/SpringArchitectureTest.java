// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Tests which classes snowcast-spring uses. */
class SpringArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(SnowcastProperties.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation());

    @Test
    void plainSpringNeedsNeitherBootNorMicrometer() {
        noClasses()
                .that()
                .belongToAnyOf(
                        SequencerFactoryBean.class,
                        SnowcastNamespaceHandler.class,
                        SnowcastXml.class,
                        SnowcastProperties.Sequencer.class,
                        IntegerSequenceFactoryBean.class,
                        SharedFactoryBean.class,
                        StartRules.class,
                        Attacher.class,
                        SnowcastProperties.Sequence.class,
                        Setting.class,
                        InvalidSettingException.class)
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.springframework.boot..", "io.micrometer.."))
                .check(CLASSES);
    }

    @Test
    void metersNeedNoBoot() {
        noClasses()
                .that()
                .belongToAnyOf(
                        SnowcastMetrics.class,
                        BoundMeters.class,
                        SubjectMeters.class,
                        InstanceMeters.class,
                        CassandraMeters.class,
                        CassandraStores.class,
                        CassandraStoreMetrics.class,
                        JdbcMeters.class,
                        JdbcStores.class,
                        JdbcStoreMetrics.class,
                        KnownSequencers.class,
                        SnowcastHealth.class)
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.springframework.boot.."))
                .check(CLASSES);
    }

    @Test
    void whatNeedsCassandraIsApart() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.(Snowcast)?Cassandra[^.]*")
                .should()
                .dependOnClassesThat(resideInAnyPackage("com.noctarius.snowcast.cassandra.."))
                .check(CLASSES);
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("com.datastax.."))
                .check(CLASSES);
    }

    @Test
    void whatNeedsJdbcIsApart() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.(Snowcast)?Jdbc[^.]*")
                .should()
                .dependOnClassesThat(resideInAnyPackage("com.noctarius.snowcast.jdbc.."))
                .check(CLASSES);
    }

    @Test
    void eachLineOfBootHasItsOwnClassesOnly() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.SnowcastBoot4Health.*")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.springframework.boot.health.."))
                .check(CLASSES);
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.SnowcastBoot3Health.*")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "org.springframework.boot.actuate.health..",
                        "org.springframework.boot.actuate.autoconfigure.health.."))
                .check(CLASSES);
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.SnowcastBoot4Hazelcast.*")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.springframework.boot.hazelcast.."))
                .check(CLASSES);
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.SnowcastBoot3Hazelcast.*")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.springframework.boot.autoconfigure.hazelcast.."))
                .check(CLASSES);
    }

    /** Before JDK 24, a virtual thread that blocks while it holds a monitor pins its carrier thread. */
    @Test
    void noMethodIsSynchronized() {
        noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(CLASSES);
    }
}
