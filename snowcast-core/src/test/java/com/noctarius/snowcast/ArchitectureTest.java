// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class ArchitectureTest {
    private static final String API = "com.noctarius.snowcast";
    private static final String INTERNAL = API + ".internal..";
    private static final String BASE = API + ".internal.base..";
    private static final String GENERATOR = API + ".internal.generator..";
    private static final String OWNER = API + ".internal.owner..";
    private static final String VOTE = API + ".internal.vote..";
    private static final String LEASES = API + ".internal.leases..";
    private static final String BLOCKS = API + ".internal.blocks..";
    private static final String WIRE = API + ".internal.wire..";
    private static final String STORE = API + ".store..";
    private static final String IDS = API + ".ids..";
    private static final String STATUS = API + ".status..";
    /** snowcast's own package for code that runs on members and on clients of Hazelcast. */
    private static final String SHARED = API + ".internal.hazelcast..";

    private static final String CLUSTER = API + ".internal.cluster..";
    private static final String CLIENT = API + ".internal.client..";
    private static final String HAZELCAST = "com.hazelcast..";
    private static final String HAZELCAST_API = "com.hazelcast.core..";
    private static final String HAZELCAST_CONFIG = "com.hazelcast.config";
    private static final String HAZELCAST_IO = "com.hazelcast.nio..";
    /** A public package of Hazelcast. Callers receive its {@code SplitBrainProtectionException}. */
    private static final String HAZELCAST_PROTECTION = "com.hazelcast.splitbrainprotection";

    /** The package of the exceptions of Hazelcast clients. */
    private static final String HAZELCAST_CLIENT_API = "com.hazelcast.client";

    /** The package of {@code RetryableHazelcastException}. */
    private static final String HAZELCAST_FAILURES = "com.hazelcast.spi.exception";

    private static final String HAZELCAST_METRICS = "com.hazelcast.internal.metrics";

    /** The classes of this module without its test classes. */
    private static final URL MAIN =
            SnowcastLayout.class.getProtectionDomain().getCodeSource().getLocation();

    static final JavaClasses CLASSES = new ClassFileImporter().importUrl(MAIN);

    @Test
    void onlyClusterAndClientSeeMoreOfHazelcastThanItsCoreApi() {
        check(noClasses()
                .that(not(resideInAnyPackage(CLUSTER, CLIENT, WIRE, SHARED)).and(not(isOfVersions1And2())))
                .should()
                .dependOnClassesThat(resideInAPackage(HAZELCAST).and(not(resideInAPackage(HAZELCAST_API)))));
    }

    @Test
    void wireSeesOfHazelcastItsCoreApiAndStreams() {
        mayOnlySeeOfHazelcast(WIRE, HAZELCAST_IO);
    }

    /**
     * Code that runs on members and on clients may use only two private packages of Hazelcast: the metrics, and the
     * exceptions of operations.
     */
    @Test
    void whatMembersAndClientsShareOfHazelcastIsItsPublicApiAndItsMetrics() {
        mayOnlySeeOfHazelcast(
                SHARED,
                HAZELCAST_API,
                HAZELCAST_CLIENT_API,
                HAZELCAST_CONFIG,
                HAZELCAST_IO,
                HAZELCAST_PROTECTION,
                HAZELCAST_FAILURES,
                HAZELCAST_METRICS);
    }

    private static void mayOnlySeeOfHazelcast(String from, String... packages) {
        check(noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat(resideInAPackage(HAZELCAST).and(not(resideInAnyPackage(packages)))));
    }

    @Test
    void purePackagesDoNotSeeHazelcast() {
        check(noClasses()
                .that(resideInAnyPackage(BASE, GENERATOR, OWNER, VOTE, LEASES, BLOCKS, IDS, STORE)
                        .or(nameMatching(".*\\.(ClusterClock|DurableHighWaterMark|HighWaterMarkFile)(\\$.*)?")))
                .should()
                .dependOnClassesThat(resideInAPackage(HAZELCAST)));
    }

    /**
     * The decisions of a node table depend only on its state and on the arguments. Callers pass cluster time and random
     * numbers as arguments.
     */
    @Test
    void decisionsReadNoClock() {
        check(noClasses().that().resideInAPackage(OWNER).should().dependOnClassesThat(resideInAPackage(BASE)));
    }

    @Test
    void packagesSeeOnlyTheseOfOurs() {
        mayOnlySee(STORE, STORE);
        mayOnlySee(IDS, IDS, API);
        mayOnlySee(BASE, BASE, API);
        mayOnlySee(GENERATOR, GENERATOR, BASE, API);
        mayOnlySee(OWNER, OWNER, STORE, API);
        mayOnlySee(VOTE, VOTE, BASE);
        mayOnlySee(BLOCKS, BLOCKS, BASE, STORE, API);
        mayOnlySee(WIRE, WIRE, OWNER, VOTE, STORE, STATUS, API);
        mayOnlySee(SHARED, SHARED, BASE, STORE, API);
        mayOnlySee(LEASES, LEASES, BLOCKS, GENERATOR, OWNER, BASE, WIRE, SHARED, STORE, API);
        mayOnlySee(CLUSTER, CLUSTER, LEASES, OWNER, VOTE, BASE, WIRE, SHARED, STORE, STATUS, API);
        mayOnlySee(CLIENT, CLIENT, LEASES, BASE, WIRE, SHARED, STATUS, API);
    }

    private static void mayOnlySee(String from, String... ours) {
        check(noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat(resideInAPackage(API + "..").and(not(resideInAnyPackage(ours)))));
    }

    @Test
    void onlyOneClassLeadsFromTheApiToTheInside() {
        check(noClasses()
                .that(resideInAnyPackage(API, IDS, STATUS, STORE).and(not(leadsInside())))
                .should()
                .dependOnClassesThat(resideInAPackage(INTERNAL)));
    }

    @Test
    void packagesAreFreeOfCycles() {
        check(slices().matching("com.noctarius.(**)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(leadsInside(), DescribedPredicate.alwaysTrue()));
    }

    /** With cycles of at most three classes, a reader of one class has to read at most two others with it. */
    @Test
    void noCycleOfInternalClassesIsLargerThanThree() {
        Map<String, Set<String>> reached = new TreeMap<>();
        for (JavaClass each : CLASSES.that(resideInAPackage(INTERNAL))) {
            Set<String> targets = reached.computeIfAbsent(topLevel(each), name -> new TreeSet<>());
            each.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> topLevel(dependency.getTargetClass().getBaseComponentType()))
                    .forEach(targets::add);
        }
        reached.values().forEach(targets -> targets.retainAll(reached.keySet()));
        boolean grows = true;
        while (grows) {
            grows = false;
            for (Set<String> targets : reached.values()) {
                for (String target : List.copyOf(targets)) {
                    grows |= targets.addAll(reached.getOrDefault(target, Set.of()));
                }
            }
        }
        reached.forEach((name, targets) -> assertThat(targets.stream()
                        .filter(other -> reached.getOrDefault(other, Set.of()).contains(name)))
                .as("classes that depend on %s and that it depends on", name)
                .hasSizeLessThanOrEqualTo(3));
    }

    private static String topLevel(JavaClass each) {
        return each.getEnclosingClass().map(ArchitectureTest::topLevel).orElse(each.getName());
    }

    @Test
    void onlyBaseReadsTheClocksOfTheSystem() {
        check(noClasses()
                .that(not(resideInAPackage(BASE)).and(not(nameMatching(".*\\.SnowcastEpoch"))))
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

    /**
     * All callers of one {@code Snowcast} that create a sequencer of the same name share one object, so no caller may
     * close that object.
     */
    @Test
    void sequencersCannotBeClosed() {
        check(noClasses().that(assignableTo(SnowcastSequencer.class)).should().beAssignableTo(AutoCloseable.class));
    }

    private static DescribedPredicate<JavaClass> leadsInside() {
        return nameMatching(".*\\.SnowcastSystem(\\$.*)?").forSubtype();
    }

    private static DescribedPredicate<JavaClass> isOfVersions1And2() {
        return nameMatching(".*\\.(SnowcastNodeConfigurator|SnowcastSequenceUtils)")
                .forSubtype();
    }

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }
}
