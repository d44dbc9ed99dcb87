// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.persistence;

import com.noctarius.snowcast.hibernate.SnowcastSequenceGenerator;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Takes the identifier of an entity from an {@link com.noctarius.snowcast.IntegerSequence}, before the row is inserted,
 * so that inserts can be batched: compact integers, for keys of 32 bits. No sequence of the database is needed.
 *
 * <pre>{@code
 * @Entity
 * class Product {
 *     @Id
 *     @SnowcastSequence("products")
 *     private int id;
 * }
 *
 * record Stamp(@Id @SnowcastSequence("stamps") int id, int cents) {}   // Spring Data
 * }</pre>
 *
 * <p>The annotation stands where {@link SnowcastId} may stand, and all that is said there holds here, but for this: the
 * identifier is an {@code int}, {@code Integer}, {@code long} or {@code Long}, and an integer that does not fit an
 * {@code int} fails as an ID that cannot be generated does with Hibernate, and with an
 * {@code org.springframework.data.mapping.MappingException} in Spring Data. Hibernate blocks as
 * {@code IntegerSequence.next()} does: not at all while integers are in hand.
 */
@IdGeneratorType(SnowcastSequenceGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface SnowcastSequence {
    /**
     * Names the integer sequence: by its own name or, with Spring, by the name of its bean, if no integer sequence or
     * several have that name.
     *
     * @return the name of the integer sequence, or of its bean
     */
    String value();
}
