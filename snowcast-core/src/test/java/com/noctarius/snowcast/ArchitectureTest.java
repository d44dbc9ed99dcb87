// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.net.URL;
import org.junit.jupiter.api.Test;

/** The walls between the packages. */
class ArchitectureTest {
    private static final String API = "com.noctarius.snowcast";
    private static final String INTERNAL = API + ".internal..";
    private static final String CLOCK = API + ".internal.clock..";
    private static final String GENERATOR = API + ".internal.generator..";
    private static final String TABLE = API + ".internal.table..";
    private static final String MEMBERSHIP = API + ".internal.membership..";
    private static final String COUNTER = API + ".internal.counter..";
    private static final String SEQUENCER = API + ".internal.sequencer..";
    private static final String METRICS = API + ".internal.metrics..";
    private static final String FLOOR = API + ".internal.floor..";
    private static final String WIRE = API + ".internal.wire..";
    private static final String BLOCK = API + ".internal.block..";
    private static final String STORE = API + ".store..";
    private static final String CLUSTER = API + ".internal.cluster..";
    private static final String CLIENT = API + ".internal.client..";
    private static final String HAZELCAST = "com.hazelcast..";
    private static final String HAZELCAST_API = "com.hazelcast.core..";
    private static final String HAZELCAST_IO = "com.hazelcast.nio..";
    /** Also public API: its exception reaches callers. */
    private static final String HAZELCAST_PROTECTION = "com.hazelcast.splitbrainprotection";

    /** Where the classes of this module lie, apart from those of its tests. */
    private static final URL MAIN =
            SnowcastLayout.class.getProtectionDomain().getCodeSource().getLocation();

    private static final JavaClasses CLASSES = new ClassFileImporter().importUrl(MAIN);

    @Test
    void onlyClusterAndClientSeeMoreOfHazelcastThanItsCoreApi() {
        check(noClasses()
                .that(not(resideInAnyPackage(CLUSTER, CLIENT, WIRE)).and(not(isOfFormerVersions())))
                .should()
                .dependOnClassesThat(resideInAPackage(HAZELCAST).and(not(resideInAPackage(HAZELCAST_API)))));
    }

    @Test
    void wireSeesOfHazelcastItsCoreApiAndStreams() {
        check(noClasses()
                .that()
                .resideInAPackage(WIRE)
                .should()
                .dependOnClassesThat(resideInAPackage(HAZELCAST)
                        .and(not(resideInAnyPackage(HAZELCAST_API, HAZELCAST_IO, HAZELCAST_PROTECTION)))));
        mayOnlySee(WIRE, WIRE, CLOCK, TABLE, COUNTER, STORE, API);
    }

    @Test
    void clusterAndClientDoNotSeeEachOther() {
        check(noClasses().that().resideInAPackage(CLUSTER).should().dependOnClassesThat(resideInAPackage(CLIENT)));
        check(noClasses().that().resideInAPackage(CLIENT).should().dependOnClassesThat(resideInAPackage(CLUSTER)));
    }

    @Test
    void purePackagesDoNotSeeHazelcast() {
        check(noClasses()
                .that()
                .resideInAnyPackage(CLOCK, GENERATOR, MEMBERSHIP, TABLE, COUNTER, BLOCK, METRICS, SEQUENCER, STORE)
                .should()
                .dependOnClassesThat(resideInAPackage(HAZELCAST)));
    }

    @Test
    void floorSeesNothingOfOursNorOfHazelcast() {
        mayOnlySee(FLOOR, FLOOR);
        check(noClasses().that().resideInAPackage(FLOOR).should().dependOnClassesThat(resideInAPackage(HAZELCAST)));
    }

    @Test
    void clockSeesNothingOfOurs() {
        mayOnlySee(CLOCK, CLOCK);
    }

    @Test
    void generatorSeesClockAndApi() {
        mayOnlySee(GENERATOR, GENERATOR, CLOCK, API);
    }

    @Test
    void membershipSeesTheClock() {
        mayOnlySee(MEMBERSHIP, MEMBERSHIP, CLOCK);
    }

    @Test
    void tableSeesTheApi() {
        mayOnlySee(TABLE, TABLE, API);
    }

    @Test
    void counterSeesTheApi() {
        mayOnlySee(COUNTER, COUNTER, STORE, API);
    }

    @Test
    void blockSeesCounterAndClockAndMetricsAndApi() {
        mayOnlySee(BLOCK, BLOCK, COUNTER, CLOCK, METRICS, STORE, API);
    }

    @Test
    void metricsSeeTheClockAndTheApi() {
        mayOnlySee(METRICS, METRICS, CLOCK, API);
    }

    @Test
    void storeSeesNothingOfOurs() {
        mayOnlySee(STORE, STORE);
    }

    private static void mayOnlySee(String from, String... ours) {
        check(noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat(resideInAPackage(API + "..").and(not(resideInAnyPackage(ours)))));
    }

    @Test
    void onlySnowcastSystemLeadsFromTheApiToTheInside() {
        check(noClasses()
                .that(resideInAPackage(API).and(not(isSnowcastSystem())))
                .should()
                .dependOnClassesThat(resideInAPackage(INTERNAL)));
    }

    @Test
    void packagesAreFreeOfCycles() {
        check(slices().matching("com.noctarius.(**)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(isSnowcastSystem(), DescribedPredicate.alwaysTrue()));
    }

    @Test
    void onlyTheClockPackageReadsTheClocksOfTheSystem() {
        check(noClasses()
                .that(not(resideInAPackage(CLOCK)).and(not(nameMatching(".*\\.SnowcastEpoch"))))
                .should()
                .accessTargetWhere(
                        describe("a clock of the system is read", access -> readsAClock(access.getTarget()))));
    }

    private static boolean readsAClock(AccessTarget target) {
        String owner = target.getOwner().getName();
        return switch (target.getName()) {
            case "currentTimeMillis", "nanoTime" -> owner.equals("java.lang.System");
            case "now" -> owner.startsWith("java.time.");
            default -> owner.equals("java.time.Clock");
        };
    }

    @Test
    void namesSayWhatAClassIs() {
        check(noClasses()
                .that(not(nameMatching(".*\\.SnowcastSequenceUtils")))
                .should()
                .haveNameMatching(".*(Impl|Util|Utils|Helper|Manager)"));
    }

    /** {@code get} is for what versions 1 and 2 had. */
    @Test
    void whatIsNewInTheApiIsNamedLikeTheComponentOfARecord() {
        check(noMethods()
                .that()
                .areDeclaredInClassesThat(resideInAnyPackage(API, STORE))
                .and()
                .doNotHaveName("getSequencerName")
                .and()
                .doNotHaveName("getSequencerState")
                .and()
                .doNotHaveName("getEpochOffset")
                .and()
                .doNotHaveName("getEpochTimestamp")
                .should()
                .haveNameMatching("get[A-Z].*"));
    }

    /** One object for all who create it: see the class comment of {@link SnowcastSequencer}. */
    @Test
    void sequencersCannotBeClosed() {
        check(noClasses().that(assignableTo(SnowcastSequencer.class)).should().beAssignableTo(AutoCloseable.class));
    }

    /** Its signatures name Hazelcast's configuration. */
    private static DescribedPredicate<JavaClass> isOfFormerVersions() {
        return nameMatching(".*\\.SnowcastNodeConfigurator").forSubtype();
    }

    private static DescribedPredicate<JavaClass> isSnowcastSystem() {
        return nameMatching(".*\\.SnowcastSystem(\\$.*)?").forSubtype();
    }

    /** Packages that do not exist yet break no rule. */
    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }
}
