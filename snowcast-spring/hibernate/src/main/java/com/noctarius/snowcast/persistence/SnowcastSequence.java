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
 * An identifier of an entity that an {@link com.noctarius.snowcast.IntegerSequence} generates before the row is
 * inserted, so that inserts can be batched. For compact integers, such as keys of 32 bits. No sequence of the database
 * is needed.
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
 * <p>The annotation is allowed where {@link SnowcastId} is allowed, and has the same effects, with these differences.
 * The identifier is an {@code int}, {@code Integer}, {@code long} or {@code Long}. An integer that does not fit an
 * {@code int} throws an {@code org.hibernate.id.IdentifierGenerationException} with Hibernate, and an
 * {@code org.springframework.data.mapping.MappingException} with Spring Data. Generating an identifier with Hibernate
 * blocks as {@code IntegerSequence.next()} does: not at all while the process has reserved integers.
 */
@IdGeneratorType(SnowcastSequenceGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface SnowcastSequence {
    /**
     * Names the integer sequence: by its own name; or, with Spring, by the name of its bean, unless exactly one integer
     * sequence has that name.
     *
     * @return the name of the integer sequence, or of its bean
     */
    String value();
}
