// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class SnowcastSystemClusterTest {
    private final Side side;

    @AutoClose
    private MockCluster cluster;

    private HazelcastInstance instance;

    SnowcastSystemClusterTest(Side side) {
        this.side = side;
    }

    @BeforeEach
    void start() {
        cluster = MockCluster.of(1);
        instance = side.in(cluster);
    }

    @Test
    void aBackupCountIsRefusedIfItIsOutOfRangeOrNotThatOfTheSnowcast() throws Exception {
        for (int backupCount : new int[] {-1, 7, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> SnowcastSystem.snowcast(instance, backupCount))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("backupCount must be 0 to 6: " + backupCount);
        }
        // More backups than the cluster can have are no obstacle.
        Snowcast snowcast = SnowcastSystem.snowcast(instance, 6);
        snowcast.createSequencer("orders", TestCluster.EPOCH).next();

        assertThat(SnowcastSystem.snowcast(instance)).isSameAs(snowcast);
        assertThat(SnowcastSystem.snowcast(instance, 6)).isSameAs(snowcast);
        assertThatThrownBy(() -> SnowcastSystem.snowcast(instance, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be 6")
                .hasMessageEndingWith(": 1");
    }

    @Test
    @SuppressWarnings("NullAway")
    void noInstanceAndAStoppedInstanceAreRefused() {
        assertThatThrownBy(() -> SnowcastSystem.snowcast(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> SnowcastSystem.snowcast(null, 1)).isInstanceOf(NullPointerException.class);
        instance.shutdown();

        assertThatThrownBy(() -> SnowcastSystem.snowcast(instance))
                .isInstanceOf(HazelcastInstanceNotActiveException.class);
        assertThatThrownBy(() -> SnowcastSystem.snowcast(instance, 1))
                .isInstanceOf(HazelcastInstanceNotActiveException.class);
    }

    /** Returns a proxy like those that Spring makes for {@code @Lazy} and {@code @RefreshScope}. */
    private static HazelcastInstance proxyOf(Supplier<HazelcastInstance> target) {
        return (HazelcastInstance) Proxy.newProxyInstance(
                HazelcastInstance.class.getClassLoader(),
                new Class<?>[] {HazelcastInstance.class},
                (proxy, method, arguments) -> method.invoke(target.get(), arguments));
    }

    @Test
    void aProxyIsServedAsTheInstanceThatItLeadsTo() throws Exception {
        Snowcast snowcast = SnowcastSystem.snowcast(proxyOf(() -> instance), 2);

        assertThat(snowcast).isSameAs(SnowcastSystem.snowcast(instance));
        assertThat(SnowcastSystem.snowcast(proxyOf(() -> instance))).isSameAs(snowcast);
        snowcast.createSequencer("orders", TestCluster.EPOCH).next();
    }

    @Test
    void anInstanceBehindAProxyCanBeReplaced() throws Exception {
        AtomicReference<HazelcastInstance> present = new AtomicReference<>(instance);
        HazelcastInstance proxy = proxyOf(present::get);
        SnowcastSequencer former = SnowcastSystem.snowcast(proxy).createSequencer("orders", TestCluster.EPOCH);
        HazelcastInstance next = side == Side.CLIENT ? cluster.addClient() : cluster.addMember();
        // Members need this call: without it, the older member could leave before it has confirmed the new member. The
        // new member would then wait for the older one.
        SnowcastSystem.snowcast(next).createSequencer("orders", TestCluster.EPOCH);
        instance.shutdown();

        assertThatThrownBy(() -> SnowcastSystem.snowcast(proxy))
                .isInstanceOf(HazelcastInstanceNotActiveException.class)
                .hasMessageContaining("was shut down")
                .hasMessageContaining("ask for the Snowcast of that one");
        assertThatThrownBy(former::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("the HazelcastInstance was shut down");
        present.set(next);
        assertThat(SnowcastSystem.snowcast(proxy)).isSameAs(SnowcastSystem.snowcast(next));
        SnowcastSystem.snowcast(proxy)
                .createSequencer("orders", TestCluster.EPOCH)
                .next();
    }
}
