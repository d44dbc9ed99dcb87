// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Has JUnit Jupiter make a {@link TestSequencer} or {@link TestIntegerSequence} for a field or a parameter of a test,
 * again for each test method, so that each begins with the same IDs. The field, which is not static, or the parameter
 * is of one of these types, or a {@code SnowcastSequencer} or an {@code IntegerSequence}.
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
 * <p>A field and a parameter of one type and name are the same object in one test. JUnit 5.8 and newer, and 6.
 */
@Target({ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ExtendWith(TestIdsExtension.class)
public @interface TestIds {
    /**
     * Names the sequencer or integer sequence.
     *
     * @return the name; by default that of the field, or of the parameter if the compiler keeps it
     *     ({@code -parameters})
     */
    String value() default "";
}
