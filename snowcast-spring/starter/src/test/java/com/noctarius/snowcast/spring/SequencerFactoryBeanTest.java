// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static com.noctarius.snowcast.SnowcastSequenceState.Attached;
import static com.noctarius.snowcast.SnowcastSequenceState.Destroyed;
import static com.noctarius.snowcast.SnowcastSequenceState.Detached;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBeanNotInitializedException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Tests sequencers as beans of Spring contexts without Boot. The contexts share a member. */
class SequencerFactoryBeanTest extends MemberOfTests {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    private String name;

    @BeforeEach
    void ownName() {
        name = "sequencer-" + UUID.randomUUID();
    }

    private static SequencerConfig config(String name) {
        return SequencerConfig.builder(name).epoch(EPOCH).build();
    }

    private ConfigurableApplicationContext context() {
        return context(snowcast, config(name));
    }

    private static ConfigurableApplicationContext context(Snowcast snowcast, SequencerConfig config) {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean("sequencer", SequencerFactoryBean.class, () -> new SequencerFactoryBean(snowcast, config));
        context.refresh();
        return context;
    }

    private static SnowcastSequencer sequencer(ConfigurableApplicationContext context) {
        return context.getBean(SnowcastSequencer.class);
    }

    @Test
    void isAttachedFromStartToCloseAndNotDestroyed() throws InterruptedException {
        ConfigurableApplicationContext context = context();
        SnowcastSequencer sequencer = sequencer(context);
        assertThat(sequencer.getSequencerState()).isEqualTo(Attached);
        long before = sequencer.next();
        context.close();
        assertThat(sequencer.getSequencerState()).isEqualTo(Detached);
        assertThat(snowcast.sequencers()).contains(sequencer);

        try (ConfigurableApplicationContext next = context()) {
            assertThat(sequencer(next)).isSameAs(sequencer);
            assertThat(sequencer.next()).isGreaterThan(before);
        }
    }

    @Test
    void contextsThatComeAndGoAtTheSameTimeNeverHaveItDetached() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> runs = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            Callable<@Nullable Void> run = () -> {
                for (int i = 0; i < 100; i++) {
                    SequencerFactoryBean bean = new SequencerFactoryBean(snowcast, config(name));
                    bean.afterPropertiesSet();
                    assertThat(bean.getObject().next()).isPositive();
                    bean.destroy();
                }
                return null;
            };
            runs.add(threads.submit(run));
        }
        for (Future<?> run : runs) {
            run.get();
        }
        threads.shutdown();
        assertThat(snowcast.createSequencer(config(name)).getSequencerState()).isEqualTo(Detached);
    }

    @Test
    void oneThatWasDetachedByHandIsLeftAsItIsAndAttachedByTheNextContext() {
        ConfigurableApplicationContext context = context();
        SnowcastSequencer sequencer = sequencer(context);
        sequencer.detachLogicalNode();
        assertThatCode(context::close).doesNotThrowAnyException();
        assertThat(sequencer.getSequencerState()).isEqualTo(Detached);
        try (ConfigurableApplicationContext next = context()) {
            assertThat(sequencer(next).getSequencerState()).isEqualTo(Attached);
        }
    }

    @Test
    void oneThatWasDestroyedByHandIsMadeAnewByTheNextContext() {
        ConfigurableApplicationContext context = context();
        SnowcastSequencer destroyed = sequencer(context);
        snowcast.destroySequencer(destroyed);
        try (ConfigurableApplicationContext next = context()) {
            SnowcastSequencer anew = sequencer(next);
            assertThat(anew).isNotSameAs(destroyed);
            context.close();
            assertThat(destroyed.getSequencerState()).isEqualTo(Destroyed);
            assertThat(anew.getSequencerState()).isEqualTo(Attached);
        }
    }

    @Test
    void closesQuietlyAfterTheHazelcastInstance() {
        for (boolean terminate : new boolean[] {false, true}) {
            HazelcastInstance own = Members.start();
            ConfigurableApplicationContext context = context(SnowcastSystem.snowcast(own), config(name));
            if (terminate) {
                own.getLifecycleService().terminate();
            } else {
                own.shutdown();
            }
            SnowcastSequencer sequencer = sequencer(context);
            assertThatCode(context::close).doesNotThrowAnyException();
            assertThat(sequencer.getSequencerState()).isEqualTo(Detached);
        }
    }

    @Test
    void failureOfAnotherBeanAtTheStartGivesTheLogicalNodeBack() {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(
                "sequencer", SequencerFactoryBean.class, () -> new SequencerFactoryBean(snowcast, config(name)));
        context.registerBean("broken", String.class, () -> {
            throw new IllegalStateException("broken on purpose");
        });
        assertThatThrownBy(context::refresh).hasStackTraceContaining("broken on purpose");
        assertThat(snowcast.createSequencer(config(name)).getSequencerState()).isEqualTo(Detached);
    }

    @Test
    void hasNoObjectBeforeTheStartAndAfterTheEnd() {
        SequencerFactoryBean bean = new SequencerFactoryBean(snowcast, config(name));
        assertThatThrownBy(bean::getObject).isInstanceOf(FactoryBeanNotInitializedException.class);
        bean.afterPropertiesSet();
        SnowcastSequencer sequencer = bean.getObject();
        bean.destroy();
        assertThatThrownBy(bean::getObject).isInstanceOf(FactoryBeanNotInitializedException.class);
        try (ConfigurableApplicationContext context = context()) {
            bean.destroy();
            assertThat(sequencer(context)).isSameAs(sequencer);
            assertThat(sequencer.getSequencerState()).isEqualTo(Attached);
        }
    }
}
