// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.protocol.ClientExceptionFactory;
import com.hazelcast.client.impl.spi.impl.listener.ClientListenerServiceImpl;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.Tables;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests members and clients that use the same sequencer. */
@Tag("integration")
class ClientClusterTest {
    private static final SnowcastLayout FOUR_NODES = new SnowcastLayout(41, 2, 10);

    private final OffsetClock clock = new OffsetClock(0);
    private final String name = TestCluster.newName();

    @AutoClose
    private MockCluster cluster;

    private HazelcastInstance client;

    @BeforeEach
    void start() {
        cluster = MockCluster.of(2, TimeStep.PROPERTIES);
        client = cluster.addClient(clock::install);
    }

    private SnowcastSequencer createWithFourNodes(HazelcastInstance instance) {
        return TestCluster.create(instance, name, FOUR_NODES);
    }

    private long attached() {
        return Tables.attached(cluster.owner(name), name);
    }

    /** The instance that destroys the sequencer, and the instance that is notified. */
    enum Pair {
        CLIENT_FOR_MEMBER,
        MEMBER_FOR_CLIENT,
        CLIENT_FOR_CLIENT
    }

    @ParameterizedTest
    @EnumSource
    void whatOneDestroysTheOtherIsTold(Pair pair) {
        HazelcastInstance destroyer = pair == Pair.MEMBER_FOR_CLIENT ? cluster.member(0) : client;
        HazelcastInstance other = pair == Pair.CLIENT_FOR_MEMBER ? cluster.member(1) : cluster.addClient();
        // Only a notification can report the destruction during this test, because the first renewal comes after five
        // minutes, half of the lease.
        SequencerConfig config = SequencerConfig.builder(name).epoch(EPOCH).build();
        SnowcastSequencer own = SnowcastSystem.snowcast(destroyer).createSequencer(config);
        SnowcastSequencer others = SnowcastSystem.snowcast(other).createSequencer(config);

        SnowcastSystem.snowcast(destroyer).destroySequencer(own);

        assertThat(own.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
        Await.until("destroyed", () -> others.getSequencerState() == SnowcastSequenceState.Destroyed);
        assertThatThrownBy(others::next).isInstanceOf(SnowcastStateException.class);
        assertThatThrownBy(others::attachLogicalNode).isInstanceOf(SnowcastStateException.class);
    }

    @Test
    void whoHeardNothingLearnsOfADestructionWhenItRenews() {
        SnowcastSequencer deaf = TestCluster.create(client, name);
        ClientListenerServiceImpl listeners =
                (ClientListenerServiceImpl) ((HazelcastClientProxy) client).client.getListenerService();
        listeners.getRegistrations().entrySet().stream()
                .filter(each -> each.getValue().getCodec().getClass().getName().contains("snowcast"))
                .forEach(each ->
                        assertThat(listeners.removeListener(each.getKey())).isTrue());

        SnowcastSystem.snowcast(cluster.member(0)).destroySequencer(TestCluster.create(cluster.member(0), name));
        assertThat(deaf.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);

        TimeStep.to(TimeStep.MILLIS, clock, cluster.members(), List.of());
        Await.until("destroyed", () -> deaf.getSequencerState() == SnowcastSequenceState.Destroyed);
    }

    /** On a client, Hazelcast creates the exception with its constructor (message, cause) or (message). */
    @Test
    void anExceptionOfAMemberReachesAClientAsItself() {
        ClientExceptionFactory factory =
                Accessors.getNode(cluster.member(0)).getClientEngine().getExceptionFactory();
        // Reads the names of all classes, but only the content of those that are exceptions by their names.
        Stream<Class<?>> exceptions = new ClassFileImporter(List.of(location -> location.contains("Exception.class")))
                .importPackages(SnowcastException.class.getPackageName()).stream()
                        .filter(each -> each.isAssignableTo(SnowcastException.class))
                        .filter(each -> !each.getPackageName().endsWith(".tests"))
                        .map(JavaClass::reflect);

        assertThat(Stream.concat(exceptions, Stream.of(IllegalArgumentException.class)))
                .hasSizeGreaterThan(5)
                .allSatisfy(type -> assertThat(factory.createException(factory.createExceptionMessage(thrown(type))))
                        .isExactlyInstanceOf(type)
                        .hasMessage("what failed")
                        .cause()
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessage("why"));
    }

    private static Throwable thrown(Class<?> type) throws ReflectiveOperationException {
        Throwable cause = new IllegalStateException("why");
        boolean takesCause = Stream.of(type.getConstructors()).anyMatch(each -> each.getParameterCount() == 2);
        return takesCause
                ? (Throwable) type.getConstructor(String.class, Throwable.class).newInstance("what failed", cause)
                : ((Throwable) type.getConstructor(String.class).newInstance("what failed")).initCause(cause);
    }

    static Stream<Named<Consumer<HazelcastInstance>>> endings() {
        return Stream.of(
                Named.of("shutdown", HazelcastInstance::shutdown),
                Named.of("terminate", each -> each.getLifecycleService().terminate()));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void aClientThatEndsFreesItsNodeIdsAtOnce(Consumer<HazelcastInstance> ending) throws Exception {
        IdLog ids = new IdLog();
        for (int i = 0; i < 2; i++) {
            ids.add(createWithFourNodes(cluster.member(i)).next());
        }
        for (int i = 0; i < 4; i++) {
            HazelcastInstance guest = cluster.addClient();
            ids.add(createWithFourNodes(guest).next(10));
            ending.accept(guest);
            assertThat(attached()).isEqualTo(2);
        }
        IdCheck.requireUnique(FOUR_NODES, List.of(ids.toArray()));
    }
}
