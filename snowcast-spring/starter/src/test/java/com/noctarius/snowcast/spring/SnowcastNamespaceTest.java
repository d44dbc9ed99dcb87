// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static com.noctarius.snowcast.SnowcastSequenceState.Attached;
import static com.noctarius.snowcast.SnowcastSequenceState.Detached;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.xml.XmlBeanDefinitionReader;
import org.springframework.beans.factory.xml.XmlBeanDefinitionStoreException;
import org.springframework.context.support.ClassPathXmlApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

class SnowcastNamespaceTest extends MemberOfTests {
    private static final String BEANS = """
            <beans xmlns="http://www.springframework.org/schema/beans"
                   xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                   xmlns:snowcast="http://www.noctarius.com/schema/snowcast"
                   xsi:schemaLocation="http://www.springframework.org/schema/beans
                                       https://www.springframework.org/schema/beans/spring-beans.xsd
                                       http://www.noctarius.com/schema/snowcast
                                       %s">
              %s
            </beans>
            """;
    private static final String XSD = "https://www.noctarius.com/schema/snowcast/snowcast.xsd";

    private static GenericApplicationContext context(String xsd, String beans, Map<String, Object> properties) {
        GenericApplicationContext context = new GenericApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.registerBean(PropertySourcesPlaceholderConfigurer.class);
        context.registerBean("member", HazelcastInstance.class, () -> member, bean -> bean.setDestroyMethodName(""));
        new XmlBeanDefinitionReader(context)
                .loadBeanDefinitions(
                        new ByteArrayResource(BEANS.formatted(xsd, beans).getBytes(StandardCharsets.UTF_8)));
        context.refresh();
        return context;
    }

    private static GenericApplicationContext context(String beans) {
        return context(XSD, beans, Map.of());
    }

    @Test
    void standsBesideHazelcastsNamespace() throws InterruptedException {
        List<SnowcastSequenceState> atShutdown;
        HazelcastInstance own;
        try (ClassPathXmlApplicationContext context =
                new ClassPathXmlApplicationContext("snowcast-and-hazelcast.xml")) {
            own = context.getBean(HazelcastInstance.class);
            SnowcastSequencer orders = context.getBean("orders", SnowcastSequencer.class);
            atShutdown = Members.atShutdown(own, orders::getSequencerState);
            assertThat(orders.next()).isPositive();
            assertThat(orders.layout()).isEqualTo(SnowcastLayout.forMaxLogicalNodeCount(128));
            assertThat(orders.stats().lease()).isEqualTo(Duration.ofMinutes(2));
            assertThat(orders.epoch().getEpochOffset())
                    .isEqualTo(Instant.parse("2024-01-01T00:00:00Z").toEpochMilli());
            assertThat(context.getBean("deliveries", SnowcastSequencer.class).getSequencerName())
                    .isEqualTo("billing.deliveries");
        }
        assertThat(atShutdown).containsExactly(Detached);
        assertThat(own.getLifecycleService().isRunning()).isFalse();
    }

    @Test
    void contextThatIsRefreshedAttachesAgain() {
        SnowcastSequencer sequencer;
        try (GenericApplicationContext parent = context("<snowcast:system/>");
                ClassPathXmlApplicationContext context =
                        new ClassPathXmlApplicationContext(new String[] {"snowcast-sequencer.xml"}, parent)) {
            sequencer = context.getBean("refreshed", SnowcastSequencer.class);
            context.refresh();
            assertThat(context.getBean("refreshed", SnowcastSequencer.class)).isSameAs(sequencer);
            assertThat(sequencer.getSequencerState()).isEqualTo(Attached);
        }
        assertThat(sequencer.getSequencerState()).isEqualTo(Detached);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://www.noctarius.com/schema/snowcast/snowcast.xsd",
                "https://www.noctarius.com/schema/snowcast/snowcast.xsd",
                "http://www.noctarius.com/schema/snowcast/snowcast-3.0.xsd",
                "https://www.noctarius.com/schema/snowcast/snowcast-3.0.xsd"
            })
    void schemaIsInTheJarUnderEachOfItsNames(String xsd) throws IOException {
        // For an https name, Spring would also accept an entry with http, but IDEs need the exact name in this file.
        assertThat(PropertiesLoaderUtils.loadAllProperties("META-INF/spring.schemas"))
                .containsKey(xsd);
        try (GenericApplicationContext context = context(xsd, "<snowcast:system/>", Map.of())) {
            assertThat(context.getBean("snowcast", Snowcast.class)).isSameAs(SnowcastSystem.snowcast(member));
        }
        assertThatThrownBy(() -> context(xsd, "<snowcast:system unknown=\"\"/>", Map.of())
                        .close())
                .isInstanceOf(XmlBeanDefinitionStoreException.class)
                .hasStackTraceContaining("'unknown' is not allowed to appear in element 'snowcast:system'");
    }

    @Test
    void placeholdersAreReplacedInAllAttributes() {
        String beans = """
                <snowcast:system id="ids" hazelcast-instance-ref="${hz}" backup-count="${backups}"/>
                <snowcast:sequencer id="all" name="${name}" epoch="${epoch}" layout="${layout}"
                    max-logical-nodes="${nothing}" counter-start="${start}" lease="${lease}"
                    backup-count="${backups}" system-ref="${system}" start-above="7"/>
                <snowcast:sequencer id="nodes" epoch="${epoch}" max-logical-nodes="${nodes}"/>
                """;
        Map<String, Object> properties = Map.ofEntries(
                Map.entry("hz", "member"),
                Map.entry("backups", "1"),
                Map.entry("name", "from.placeholders"),
                Map.entry("epoch", "2025-01-01T00:00:00Z"),
                Map.entry("layout", "40/11/12"),
                Map.entry("nothing", ""),
                Map.entry("start", "Zero"),
                Map.entry("lease", "PT1M"),
                Map.entry("system", "ids"),
                Map.entry("nodes", "300"));
        try (GenericApplicationContext context = context(XSD, beans, properties)) {
            SnowcastSequencer all = context.getBean("all", SnowcastSequencer.class);
            assertThat(all.getSequencerName()).isEqualTo("from.placeholders");
            assertThat(all.layout()).isEqualTo(new SnowcastLayout(40, 11, 12));
            assertThat(all.stats().lease()).isEqualTo(Duration.ofMinutes(1));
            assertThat(all.epoch().getEpochOffset())
                    .isEqualTo(Instant.parse("2025-01-01T00:00:00Z").toEpochMilli());
            SnowcastSequencer nodes = context.getBean("nodes", SnowcastSequencer.class);
            assertThat(nodes.layout()).isEqualTo(SnowcastLayout.forMaxLogicalNodeCount(512));
            SequencerConfig.Builder same = SequencerConfig.builder("from.placeholders")
                    .epoch(all.epoch())
                    .layout(all.layout())
                    .startAbove(7);
            assertThat(snowcast.createSequencer(same.backupCount(1).build())).isSameAs(all);
            assertThatThrownBy(
                            () -> snowcast.createSequencer(same.backupCount(0).build()))
                    .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class);
            // With counter start zero, the first ID in a millisecond has the counter 0.
            assertThat(all.counterValue(all.tryNext().orElseThrow())).isZero();
        }
    }

    @Test
    void integerSequencesTakeTheirAttributesAndPlaceholders() throws InterruptedException {
        String beans = """
                <bean id="memory" class="com.noctarius.snowcast.store.MemoryBlockStore">
                  <constructor-arg value="1000"/><constructor-arg value="1999"/>
                </bean>
                <bean id="few" class="com.noctarius.snowcast.store.MemoryBlockStore">
                  <constructor-arg value="70"/><constructor-arg value="79"/>
                </bean>
                <snowcast:system id="ids"/>
                <snowcast:sequence id="products" name="${name}" first-value="${first}" last-value="${last}"
                    block-size="${block}" min-block-size="${nothing}" prefetch-threshold="0.75" max-wait="${wait}"
                    system-ref="${system}" store-ref="few"/>
                <snowcast:sequence id="adaptive" min-block-size="5" max-block-size="10" block-duration="30s"
                    store-ref="${store}"/>
                """;
        Map<String, Object> properties = Map.of(
                "name", "from.placeholders.too",
                "first", "70",
                "last", "79",
                "block", "4",
                "nothing", "",
                "wait", "PT1S",
                "system", "ids",
                "store", "memory");
        IntegerSequence products;
        try (GenericApplicationContext context = context(XSD, beans, properties)) {
            products = context.getBean("products", IntegerSequence.class);
            assertThat(products.name()).isEqualTo("from.placeholders.too");
            assertThat(products.stats().blockSize()).isEqualTo(4);
            assertThat(products.next(10)).containsExactlyInAnyOrder(70, 71, 72, 73, 74, 75, 76, 77, 78, 79);
            assertThatThrownBy(products::next).isInstanceOf(IntegerSequenceExhaustedException.class);
            IntegerSequence adaptive = context.getBean("adaptive", IntegerSequence.class);
            assertThat(adaptive.stats().blockSize()).isEqualTo(5);
            assertThat(adaptive.next()).isEqualTo(1_000);
        }
        assertThat(products.isClosed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            first-value='many'       | first-value must be a number from 0, above all integers that are in use: many
            max-block-size='7'       | min-block-size is missing; for an adaptive block size it must be a number from 1
            block-duration='400d' min-block-size='1' max-block-size='2' | block-duration must be a duration up to 365d, such as 30s: PT9600H
            store-ref='none'         | No bean named 'none' available
            """)
    void wrongValueOfAnIntegerSequenceIsTold(String attributes, String message) {
        String sequence =
                "<snowcast:system/><snowcast:sequence id=\"products\" " + attributes.replace('\'', '"') + "/>";
        String element = message.startsWith("No bean") ? "" : "<snowcast:sequence id=\"products\"> ";
        assertThatThrownBy(() -> context(sequence).close()).hasStackTraceContaining(element + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            epoch='yesterday'               | epoch must be an instant that is not in the future, such as 2024-01-01T00:00:00Z: yesterday
            epoch=''                        | epoch is missing; must be an instant that is not in the future
            layout='43/10/10'               | layout must be default, positive, javascript, or the bits of time, node ID and counter, such as 41/13/10: 43/10/10 (timestampBits must be 1 to 42: 43)
            layout='default' max-logical-nodes='128' | max-logical-nodes must not be set together with layout (default): 128
            backup-count='7'                | backup-count must be a number from 0 to 6: 7
            """)
    void wrongValueIsToldWithElementAttributeAndWhatIsAllowed(String attributes, String message) {
        String text = attributes.replace('\'', '"');
        String sequencer = "<snowcast:system/><snowcast:sequencer id=\"orders\" "
                + (text.contains("epoch") ? "" : "epoch=\"2024-01-01T00:00:00Z\" ") + text + "/>";
        assertThatThrownBy(() -> context(sequencer).close())
                .hasStackTraceContaining("<snowcast:sequencer id=\"orders\"> " + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            7    | backup-count cannot be used: backupCount must be 0 to 6: 7
            two  | backup-count must be a number from 0 to 6: two
            2    | backup-count cannot be used: backupCount must be 1, which it was first given for this HazelcastInstance: 2
            """)
    void wrongBackupCountOfTheSystemIsTold(String backupCount, String message) {
        assertThatThrownBy(() -> context("<snowcast:system backup-count=\"" + backupCount + "\"/>")
                        .close())
                .hasStackTraceContaining("<snowcast:system> " + message);
    }
}
