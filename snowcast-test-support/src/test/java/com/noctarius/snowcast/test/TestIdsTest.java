// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * Tests the injection by {@link TestIds}. All methods share one test instance. If the extension did not assign new
 * objects to the fields of that instance before each test, {@link #useSome} would find used objects and fail.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // The extension under test fills the fields.
class TestIdsTest {
    @TestIds
    private TestSequencer orders;

    @TestIds("crm.customers")
    private IntegerSequence customers;

    @BeforeEach
    void useSome() throws InterruptedException {
        assertThat(orders.counterValue(orders.next())).isZero();
        assertThat(customers.next()).isEqualTo(1);
    }

    @RepeatedTest(2)
    void eachTestBeginsAnew() {
        assertThat(orders.name()).isEqualTo("orders");
        assertThat(customers.name()).isEqualTo("crm.customers");
        assertThat(orders.counterValue(orders.next())).isEqualTo(1);
    }

    @Test
    void aParameterOfTheSameNameIsTheSame(
            @TestIds("orders") SnowcastSequencer parameter,
            @TestIds("returns") TestSequencer another,
            @TestIds("crm.customers") TestIntegerSequence integers) {
        assertThat(parameter).isSameAs(orders);
        assertThat(another).isNotSameAs(orders);
        assertThat(integers).isSameAs(customers);
    }

    @Nested
    class Inner {
        @TestIds
        private SnowcastSequencer orders;

        @Test
        void nestedTestsShareByName() {
            assertThat(orders).isSameAs(TestIdsTest.this.orders);
        }
    }

    static class OfWrongType {
        @TestIds
        String orders;

        @Test
        void test() {}
    }

    static class OfStatic {
        @TestIds
        static TestSequencer orders;

        @TestIds
        TestSequencer returns;

        @Test
        void test() {}
    }

    static class OfFinal {
        @TestIds
        final TestSequencer orders = TestSequencer.named("orders");

        @Test
        void test() {}
    }

    static class OfConstructor {
        private final TestSequencer orders;

        OfConstructor(@TestIds("orders") TestSequencer orders) {
            this.orders = orders;
        }

        @Test
        void test() {
            assertThat(orders).isNull();
        }
    }

    static Stream<Arguments> refused() {
        String each = "the field must be neither static nor final, as each test gets its own";
        return Stream.of(
                arguments(
                        OfWrongType.class,
                        "the type must be TestSequencer, SnowcastSequencer, TestIntegerSequence or IntegerSequence, not"
                                + " java.lang.String"),
                arguments(OfStatic.class, each),
                arguments(OfFinal.class, each),
                arguments(OfConstructor.class, "the parameter would be shared by all tests of the class"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatCannotBeFilledIsRefused(Class<?> tests, String expected) {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute()
                .testEvents()
                .assertThatEvents()
                .haveExactly(1, finishedWithFailure(message(text -> text.contains(expected))));
    }
}
