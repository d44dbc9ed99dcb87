// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.hibernate.Members;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.persistence.SnowcastId;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.convert.ConverterBuilder;
import org.springframework.data.domain.Sort;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests identifiers of Spring Data JDBC that are texts, UUIDs or records. */
@Tag("integration")
class SpringDataKeysTest {
    private static final List<String> TABLES = List.of(
            "invoice (id char(17) primary key, position int)",
            "coupon (id char(11) primary key, position int)",
            "ticket (id uuid primary key, position int)",
            "basket (id bigint primary key, position int)");

    interface Entry {
        @Nullable
        Object id();

        int position();
    }

    record Invoice(
            @Id @SnowcastId(value = "orders", prefix = "inv_") @Nullable
            String id,

            int position) implements Entry {}

    record Coupon(
            @Id @SnowcastId(value = "orders", form = SnowcastId.Form.BASE62) @Nullable
            String id,

            int position) implements Entry {}

    record Ticket(@Id @SnowcastId("orders") @Nullable UUID id, int position) implements Entry {}

    record BasketId(long value) {}

    record Basket(@Id @SnowcastId("orders") @Nullable BasketId id, int position) implements Entry {}

    private static Object key(Entry saved) {
        return Objects.requireNonNull(saved.id());
    }

    private static Object[] converters() {
        return ConverterBuilder.reading(Long.class, BasketId.class, BasketId::new)
                .andWriting(BasketId::value)
                .getConverters()
                .toArray();
    }

    @Configuration(proxyBeanMethods = false)
    static class Jdbc {
        @Bean
        SnowcastSequencer orders() {
            return Members.standalone("orders", SnowcastLayout.DEFAULT, 7);
        }

        @Bean
        JdbcCustomConversions jdbcCustomConversions() {
            return new JdbcCustomConversions(List.of(converters()));
        }
    }

    @Test
    void jdbcEntitiesGetTheirKeys() {
        try (ConfigurableApplicationContext context = Contexts.withoutMember(Jdbc.class, "snowcast.enabled=false")) {
            JdbcTemplate sql = context.getBean(JdbcTemplate.class);
            TABLES.forEach(table -> sql.execute(create(table)));
            JdbcAggregateOperations jdbc = context.getBean(JdbcAggregateOperations.class);
            SnowcastSequencer orders = context.getBean(SnowcastSequencer.class);
            check(
                    jdbc,
                    Invoice.class,
                    i -> new Invoice(null, i),
                    key -> SnowflakeId.parsePrefixed("inv_", (String) key));
            check(jdbc, Coupon.class, i -> new Coupon(null, i), key -> SnowflakeId.parseBase62((String) key));
            check(
                    jdbc,
                    Ticket.class,
                    i -> new Ticket(null, i),
                    key -> SnowflakeId.ofUuid((UUID) key, orders.layout(), orders.epoch())
                            .value());
            check(jdbc, Basket.class, i -> new Basket(null, i), key -> ((BasketId) key).value());
        }
    }

    private static String create(String table) {
        return "create table "
                + table.replaceFirst("^\\w+", "\"" + table.split(" ", 2)[0].toUpperCase(Locale.ROOT) + "\"");
    }

    private static <E extends Entry> void check(
            JdbcAggregateOperations jdbc, Class<E> type, Function<Integer, E> maker, Function<Object, Long> toId) {
        List<E> saved = jdbc.saveAll(IntStream.range(0, 20).boxed().map(maker).toList());
        assertThat(saved)
                .extracting(SpringDataKeysTest::key)
                .extracting(toId)
                .isSorted()
                .doesNotHaveDuplicates();
        E seventh = saved.get(7);
        assertThat(seventh.position()).isEqualTo(7);
        assertThat(jdbc.findById(key(seventh), type)).isEqualTo(seventh);
        assertThat(jdbc.findAll(type, Sort.by("id"))).containsExactlyElementsOf(saved);
    }
}
