// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import com.noctarius.snowcast.jackson.JsonSnowcastId.Form;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link JsonSnowcastId} on Jackson 2 or 3, depending on the {@link Mapper} of the module. */
class JsonSnowcastIdTest {
    private static final long ID = 764796226110234663L;

    record Decimal(@JsonSnowcastId long id) {}

    record Wrapped(@JsonSnowcastId @Nullable Long id) {}

    record Base62(@JsonSnowcastId(Form.BASE62) long id) {}

    record Base32(@JsonSnowcastId(Form.BASE32) long id) {}

    @SuppressWarnings("ArrayRecordComponent")
    record Many(
            @JsonSnowcastId(Form.BASE62) List<@Nullable Long> list,
            @JsonSnowcastId(Form.BASE62) Set<Long> set,
            @JsonSnowcastId(Form.BASE62) long[] array,
            @JsonSnowcastId(Form.BASE62) Long[] objects,
            @JsonSnowcastId(Form.BASE62) Map<Long, String> keys,
            @JsonSnowcastId(Form.BASE62) Map<String, Long> values,
            @JsonSnowcastId(Form.BASE62) Map<Long, Long> both,
            @JsonSnowcastId(Form.BASE62) Optional<Long> optional) {}

    record Prefixed(
            @JsonSnowcastId(value = Form.BASE32, prefix = "ord_")
            long id) {}

    record TextKey(
            @JsonSnowcastId(value = Form.BASE32, prefix = "ord_") @Nullable
            String id) {}

    @JsonSnowcastId(value = Form.BASE32, prefix = "ord_")
    record OrderKey(long value) {}

    @JsonSnowcastId(value = Form.BASE62, prefix = "inv_")
    record InvoiceId(String value) {}

    record Wrappers(@Nullable OrderKey order, List<InvoiceId> invoices, Map<OrderKey, InvoiceId> byOrder) {}

    record Doubtful(@JsonSnowcastId(prefix = "ord ") long id) {}

    @JsonSnowcastId
    record TwoComponents(long id, String name) {}

    static class Bean {
        private long id;
        private @Nullable List<Long> items;

        @JsonSnowcastId
        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public @Nullable List<Long> getItems() {
            return items;
        }

        @JsonSnowcastId
        public void setItems(List<Long> items) {
            this.items = items;
        }
    }

    static final class Creator {
        @JsonProperty
        @JsonSnowcastId
        final long id;

        @JsonCreator
        Creator(@JsonProperty("id") @JsonSnowcastId long id) {
            this.id = id;
        }
    }

    /**
     * Because there are two constructors, Jackson reads no parameter as a property, even if it knows the name of the
     * parameter.
     */
    @SuppressWarnings("UnusedVariable")
    static final class OfParameters {
        private final long id;

        OfParameters(@JsonSnowcastId long id) {
            this(id, "");
        }

        OfParameters(@JsonSnowcastId long id, String name) {
            this.id = id;
        }

        public long getId() {
            return id;
        }
    }

    @SuppressWarnings("UnusedVariable")
    static final class OfParametersAndField {
        @JsonSnowcastId
        private final long id;

        OfParametersAndField(@JsonSnowcastId long id) {
            this(id, "");
        }

        OfParametersAndField(@JsonSnowcastId long id, String name) {
            this.id = id;
        }

        public long getId() {
            return id;
        }
    }

    /** Jackson reads the annotated parameter, but has no property to write it. */
    static final class OnlyRead {
        private final long half;

        @JsonCreator
        OnlyRead(@JsonProperty("id") @JsonSnowcastId long id) {
            half = id / 2;
        }

        public long getHalf() {
            return half;
        }
    }

    record Key(@JsonValue @JsonSnowcastId(Form.BASE62) long value) {}

    @Retention(RetentionPolicy.RUNTIME)
    @JacksonAnnotationsInside
    @JsonSnowcastId(Form.BASE62)
    @JsonProperty("order")
    @interface OrderId {}

    record Own(@OrderId long id) {}

    @SuppressWarnings("ArrayRecordComponent")
    record NotEmpty(
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSnowcastId
            long[] ids) {}

    record OfInt(@JsonSnowcastId int id) {}

    record Nested(@JsonSnowcastId List<List<Long>> ids) {}

    @ParameterizedTest
    @CsvSource({
        "764796226110234663, 764796226110234663, 0uUm2RYpw2R, 0N78T3PBDR817",
        "0, 0, 00000000000, 0000000000000",
        "-1, -1, LygHa16AHYF, FZZZZZZZZZZZZ",
        "9223372036854775807, 9223372036854775807, AzL8n0Y58m7, 7ZZZZZZZZZZZZ",
        "-9223372036854775808, -9223372036854775808, AzL8n0Y58m8, 8000000000000"
    })
    void eachFormIsWrittenAndRead(long id, String decimal, String base62, String base32) {
        assertBothWays(new Decimal(id), "{'id':'" + decimal + "'}");
        assertBothWays(new Wrapped(id), "{'id':'" + decimal + "'}");
        assertBothWays(new Base62(id), "{'id':'" + base62 + "'}");
        assertBothWays(new Base32(id), "{'id':'" + base32 + "'}");
    }

    private static void assertBothWays(Object value, String json) {
        assertThat(Mapper.write(value)).isEqualTo(json.replace('\'', '"'));
        assertThat(Mapper.read(json.replace('\'', '"'), value.getClass())).isEqualTo(value);
    }

    private static void assertUnreadable(String json, Class<?> type, CharSequence... message) {
        assertThatThrownBy(() -> Mapper.read(json.replace('\'', '"'), type))
                .isInstanceOf(Mapper.INVALID_FORMAT)
                .hasMessageContainingAll(message);
    }

    @Test
    void containersAreWrittenAndRead() {
        Many many = new Many(
                Arrays.asList(1L, null),
                Set.of(2L),
                new long[] {3, 4, 5, 6, 7, 8, 9, 10, 11},
                new Long[] {5L},
                Map.of(6L, "a"),
                Map.of("b", 7L),
                Map.of(8L, 9L),
                Optional.of(10L));
        String json = Mapper.write(many);
        assertThat(json.replace('"', '\''))
                .isEqualTo("{'list':['00000000001',null],'set':['00000000002'],"
                        + "'array':['00000000003','00000000004','00000000005','00000000006','00000000007','00000000008',"
                        + "'00000000009','0000000000A','0000000000B'],"
                        + "'objects':['00000000005'],'keys':{'00000000006':'a'},'values':{'b':'00000000007'},"
                        + "'both':{'00000000008':'00000000009'},'optional':'0000000000A'}");
        Many read = Mapper.read(json, Many.class);
        assertThat(read).usingRecursiveComparison().isEqualTo(many);
    }

    @Test
    void beansCreatorsValuesAndOwnAnnotationsWork() {
        Bean bean = new Bean();
        bean.setId(ID);
        bean.setItems(List.of(1L));
        String json = Mapper.write(bean);
        assertThat(json).isEqualTo("{\"id\":\"764796226110234663\",\"items\":[\"1\"]}");
        Bean read = Mapper.read(json, Bean.class);
        assertThat(read.getId()).isEqualTo(ID);
        assertThat(read.getItems()).containsExactly(1L);

        assertThat(Mapper.write(new Creator(ID))).isEqualTo("{\"id\":\"764796226110234663\"}");
        assertThat(Mapper.read("{\"id\":\"764796226110234663\"}", Creator.class).id)
                .isEqualTo(ID);
        assertThat(Mapper.write(new Key(ID))).isEqualTo("\"0uUm2RYpw2R\"");
        assertBothWays(new Own(ID), "{'order':'0uUm2RYpw2R'}");
        assertThat(Mapper.write(new NotEmpty(new long[0]))).isEqualTo("{}");
    }

    @Test
    void aParameterThatIsForNoPropertyIsRefused() {
        assertThatThrownBy(() -> Mapper.write(new OfParameters(ID)))
                .isInstanceOf(Mapper.INVALID_DEFINITION)
                .hasMessageContaining("@JsonSnowcastId on parameter 1 of ")
                .hasMessageContaining("has no effect, so the ID would be a number in JSON")
                .hasMessageContaining("in Java annotate the field or the getter");
        assertThat(Mapper.write(new OfParametersAndField(ID))).isEqualTo("{\"id\":\"764796226110234663\"}");
        assertThat(Mapper.write(new OnlyRead(14))).isEqualTo("{\"half\":7}");
    }

    @Test
    void nullIsWhatItIsForALong() {
        assertBothWays(new Wrapped(null), "{'id':null}");
        assertThat(Mapper.read("{}", Wrapped.class).id()).isNull();
        assertThat(Mapper.read("{\"id\":null}", Decimal.class, false).id()).isZero();
        assertThat(Mapper.read("{}", Decimal.class, false).id()).isZero();
        assertThatThrownBy(() -> Mapper.read("{\"id\":null}", Decimal.class, true))
                .isInstanceOf(Mapper.MISMATCHED_INPUT)
                .hasMessageContaining("Cannot map `null` into type `long`")
                .hasMessageContaining("[\"id\"]");
    }

    @ParameterizedTest
    @ValueSource(longs = {ID, -1, 0, Long.MAX_VALUE, Long.MIN_VALUE})
    void anIntegerIsRead(long id) {
        assertThat(Mapper.read("{\"id\":" + id + "}", Decimal.class).id()).isEqualTo(id);
        assertThat(Mapper.read("{\"id\":" + id + "}", Base62.class).id()).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"9223372036854775808", "18446744073709551615", "1.5", "1.0", "7.648E17", "-9223372036854775809"})
    void anotherNumberIsRefused(String number) {
        assertUnreadable(
                "{'id':" + number + "}",
                Decimal.class,
                "ID must be an integer from -9223372036854775808 to 9223372036854775807",
                "[\"id\"]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "x",
                "007",
                "+7",
                "-0",
                " 7",
                "1.0",
                "0x7",
                "\u0661",
                "9223372036854775808",
                "18446744073709551615",
                "0uUm2RYpw2R"
            })
    void anotherDecimalTextIsRefused(String text) {
        assertUnreadable(
                "{'id':'" + text + "'}", Decimal.class, "from String \"" + text + "\": ID must be ", "[\"id\"]");
    }

    @Test
    void whatIsReadSaysWhereItIsWrong() {
        assertUnreadable("{'id':'0uUm2RYpw2'}", Base62.class, "\"0uUm2RYpw2\"", "[\"id\"]");
        assertUnreadable("{'id':'0N79CM0P00A0U'}", Base32.class, "'U'");
        assertUnreadable("{'array':['00000000001','%']}", Many.class, "\"%\"", "[\"array\"]->long[][1]");
        assertUnreadable("{'keys':{'1':'a'}}", Many.class, "from String \"1\"", "[\"keys\"]");
        assertThatThrownBy(() -> Mapper.read("{\"id\":true}", Decimal.class))
                .isInstanceOf(Mapper.MISMATCHED_INPUT)
                .hasMessageContaining("[\"id\"]");
        assertThatThrownBy(() -> Mapper.read("{\"array\":\"1\"}", Many.class))
                .isInstanceOf(Mapper.MISMATCHED_INPUT)
                .hasMessageContaining("[\"array\"]");
    }

    @Test
    void anotherTypeIsRefused() {
        assertThatThrownBy(() -> Mapper.write(new OfInt(1)))
                .isInstanceOf(Mapper.INVALID_DEFINITION)
                .hasMessageContaining(
                        "@JsonSnowcastId must be on a long, a Long, or an array, collection, optional or map"
                                + " of them, or on a String or a record that wraps one of them, not on int");
        assertThatThrownBy(() -> Mapper.read("{\"id\":\"1\"}", OfInt.class))
                .isInstanceOf(Mapper.INVALID_DEFINITION)
                .hasMessageContaining("not on int");
        assertThatThrownBy(() -> Mapper.write(new Nested(List.of())))
                .isInstanceOf(Mapper.INVALID_DEFINITION)
                .hasMessageContaining("not on java.util.List<java.util.List<java.lang.Long>>");
    }

    @Test
    void aPrefixIsWrittenAndRead() {
        assertBothWays(new Prefixed(ID), "{'id':'ord_0N78T3PBDR817'}");
        assertUnreadable("{'id':'inv_0N78T3PBDR817'}", Prefixed.class, "inv_0N78T3PBDR817", "ID must begin with ord_");
        assertUnreadable("{'id':'ord_0N78T3PBDR81'}", Prefixed.class, "Base32 must have 13 characters, not 12");
    }

    @Test
    void textThatIsAKeyIsCheckedAndReadAsItIsStored() {
        assertThat(Mapper.write(new TextKey("ord_0N78T3PBDR817"))).isEqualTo("{\"id\":\"ord_0N78T3PBDR817\"}");
        assertThat(Mapper.read("{\"id\":\"ord_on78t3pbdr8L7\"}", TextKey.class))
                .isEqualTo(new TextKey("ord_0N78T3PBDR817"));
        assertThat(Mapper.read("{\"id\":null}", TextKey.class)).isEqualTo(new TextKey(null));
        assertUnreadable("{'id':'0N78T3PBDR817'}", TextKey.class, "ID must begin with ord_");
        assertThatThrownBy(() -> Mapper.read("{\"id\":7}", TextKey.class)).isInstanceOf(Mapper.MISMATCHED_INPUT);
    }

    @Test
    void aRecordIsItsText() {
        Wrappers value = new Wrappers(
                new OrderKey(ID),
                List.of(new InvoiceId("inv_0uUm2RYpw2R")),
                Map.of(new OrderKey(ID), new InvoiceId("inv_0uUm2RYpw2R")));
        assertBothWays(
                value,
                "{'order':'ord_0N78T3PBDR817','invoices':['inv_0uUm2RYpw2R'],"
                        + "'byOrder':{'ord_0N78T3PBDR817':'inv_0uUm2RYpw2R'}}");
        assertThat(Mapper.read("{\"order\":null,\"invoices\":[],\"byOrder\":{}}", Wrappers.class))
                .isEqualTo(new Wrappers(null, List.of(), Map.of()));
        assertUnreadable("{'byOrder':{'inv_0N78T3PBDR817':null}}", Wrappers.class, "ID must begin with ord_");
        assertUnreadable("'0N78T3PBDR817'", OrderKey.class, "ID must begin with ord_");
    }

    @Test
    void aPrefixOfOtherCharactersAndARecordOfSeveralComponentsAreRefused() {
        assertThatThrownBy(() -> Mapper.write(new Doubtful(ID)))
                .hasStackTraceContaining("@JsonSnowcastId must have a prefix of at most 32 characters of A-Z, a-z, 0-9,"
                        + " _ and -, not \"ord \"");
        assertThatThrownBy(() -> Mapper.write(new TwoComponents(ID, "")))
                .hasStackTraceContaining("or on a String or a record that wraps one of them, not on");
    }
}
