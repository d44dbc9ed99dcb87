// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** Only classes whose names match may depend on the packages. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            .*\\.(Snowcast)?Cassandra[^.]*   | com.noctarius.snowcast.cassandra..
            none                             | com.datastax..
            .*\\.(Snowcast)?Jdbc[^.]*        | com.noctarius.snowcast.jdbc..
            .*\\.SnowcastBoot4Health.*       | org.springframework.boot.health..
            .*\\.SnowcastBoot3Health.*       | org.springframework.boot.actuate.health..
            .*\\.SnowcastBoot3Health.*       | org.springframework.boot.actuate.autoconfigure.health..
            .*\\.SnowcastBoot4Hazelcast.*    | org.springframework.boot.hazelcast..
            .*\\.SnowcastBoot3Hazelcast.*    | org.springframework.boot.autoconfigure.hazelcast..
            """)
    void whatNeedsALibraryOrALineOfBootIsApart(String names, String packages) {
        noClasses()
                .that()
                .haveNameNotMatching(names)
                .should()
                .dependOnClassesThat(resideInAnyPackage(packages))
                .check(CLASSES);
    }

    /** Before JDK 24, a virtual thread that blocks while it holds a monitor pins its carrier thread. */
    @Test
    void noMethodIsSynchronized() {
        noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED).check(CLASSES);
    }
}
