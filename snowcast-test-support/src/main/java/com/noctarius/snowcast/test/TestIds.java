// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Has JUnit Jupiter create a {@link TestSequencer} or {@link TestIntegerSequence} for a field of a test class, or for a
 * parameter of a test or of a {@code @BeforeEach} method. Each test gets a new object, so its IDs or integers are the
 * same in every test. The type of the field or parameter is {@code TestSequencer}, {@code TestIntegerSequence},
 * {@code SnowcastSequencer} or {@code IntegerSequence}. The field must be neither static nor final.
 *
 * <pre>{@code
 * class OrderDeskTest {
 *     @TestIds
 *     TestSequencer orders;
 *
 *     @Test
 *     void numbersItsProducts(@TestIds("products") TestIntegerSequence products) { ... }
 * }
 * }</pre>
 *
 * <p>Within a test, all sequencers with one name are the same object, and all integer sequences with one name are the
 * same object. Requires JUnit 5.8 or newer, or JUnit 6.
 */
@Target({ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ExtendWith(TestIdsExtension.class)
public @interface TestIds {
    /**
     * Names the sequencer or integer sequence.
     *
     * @return the name; by default the name of the field, or of the parameter if the compiler records it
     *     ({@code -parameters})
     */
    String value() default "";
}
