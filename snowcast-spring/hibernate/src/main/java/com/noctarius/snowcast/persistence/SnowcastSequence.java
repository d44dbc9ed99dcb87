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
 * Marks an entity's identifier, which an {@link com.noctarius.snowcast.IntegerSequence} generates before the row is
 * inserted, so that inserts can be batched. The identifiers are short integers, such as keys of 32 bits. The database
 * needs no sequence object.
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
 * <p>The annotation is allowed where {@link SnowcastId} is allowed, except in Micronaut Data, and has the same effects,
 * with these differences. The identifier is an {@code int}, {@code Integer}, {@code long} or {@code Long}. If an
 * integer does not fit an {@code int}, Hibernate throws an {@code org.hibernate.id.IdentifierGenerationException}, and
 * Spring Data an {@code org.springframework.data.mapping.MappingException}; also for the integer 0, which means that an
 * entity has no identifier, so the sequence must begin at 1 or above. Generating an identifier with Hibernate blocks as
 * {@code IntegerSequence.next()} does: only if the process has no reserved integers left.
 */
@IdGeneratorType(SnowcastSequenceGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface SnowcastSequence {
    /**
     * Names the integer sequence by its own name. With Spring, if there is not exactly one integer sequence with this
     * name, the value is the name of the sequence's bean.
     *
     * @return the name of the integer sequence, or of its bean
     */
    String value();
}
