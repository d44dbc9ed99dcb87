// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.persistence;

import com.noctarius.snowcast.hibernate.SnowcastIdGenerator;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * An identifier of an entity that a snowcast sequencer generates before the row is inserted, so that inserts can be
 * batched. Works with JPA on Hibernate and, through snowcast-spring, with Spring Data JDBC, R2DBC and MongoDB.
 *
 * <pre>{@code
 * @Entity
 * class PurchaseOrder {
 *     @Id
 *     @SnowcastId("orders")
 *     private long id;
 * }
 *
 * record Parcel(@Id @SnowcastId("parcels") long id, String destination) {}   // Spring Data
 * }</pre>
 *
 * <p>Put the annotation next to {@code @Id} on a {@code long} or {@code Long}, with a column of 64-bit integers; on a
 * {@code String} or {@code UUID}; or on a record or class that wraps one of these. The IDs of a layout with 64 bits,
 * such as the default layout, turn negative after half of the layout's time. They stay unique, but a signed column then
 * sorts them before all older ones. The layout {@code POSITIVE} has 63 bits. A warning is logged for each sequencer
 * with 64 bits and a numeric attribute.
 *
 * <p><b>Hibernate:</b> The annotation is on the field or the getter of an entity, a mapped superclass, an embedded
 * identifier or an {@code @IdClass} entity; {@code @GeneratedValue} is not needed. For an attribute of another type, or
 * a form or prefix on an attribute that is not text, building the session factory throws an
 * {@code org.hibernate.MappingException}. An identifier that the application has set stays, unless it is 0,
 * {@code null} or an empty text; this holds for {@code persist}, {@code merge} and the methods of
 * {@code StatelessSession}. For an entity without {@code @Version}, Hibernate then queries the database if it has to
 * know whether the row exists. {@link com.noctarius.snowcast.hibernate.SnowcastSettings} has the settings for finding
 * the sequencer; Spring Boot users of snowcast-spring need no setting. Generating an ID blocks as
 * {@code SnowcastSequencer.next()} does. It throws an {@code org.hibernate.id.IdentifierGenerationException} if the
 * sequencer does not exist or throws, or if the thread is interrupted while it waits; the thread is interrupted again
 * afterwards.
 *
 * <p><b>Spring Data JDBC, R2DBC and MongoDB:</b> The annotation is on the identifier of an aggregate root. Another
 * type, a form or prefix on an identifier that is not text, or the name of a sequencer that does not exist throws an
 * {@code org.springframework.data.mapping.MappingException}. If the application has set an ID other than 0 and
 * {@code null}, it stays. Spring Data then considers the entity as existing, unless the entity has a {@code @Version}
 * or determines itself whether it is new. Immutable entities get their ID as if from a database: by a wither, or by a
 * copy through their constructor. Callbacks of snowcast-spring set the ID; their Javadoc describes how they block.
 *
 * <p>Neither library requires the other one: without Hibernate, the JVM ignores the meta-annotation with Hibernate's
 * generator.
 *
 * @see SnowcastSequence
 */
@IdGeneratorType(SnowcastIdGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface SnowcastId {
    /**
     * Names the sequencer: by its name in the cluster; or, with Spring, by the name of its bean, unless exactly one
     * sequencer has that name in its cluster.
     *
     * @return the name of the sequencer, or of its bean
     */
    String value();

    /**
     * Selects how an ID is written in a {@code String}. Attributes of other types have only one form.
     *
     * @return the form
     */
    Form form() default Form.BY_TYPE;

    /**
     * Sets a text in front of each ID in a {@code String}: {@code "ord_"} yields {@code ord_0N77GAC8R1A07}. At most 32
     * characters of A-Z, a-z, 0-9, _ and -; it must never change for a column.
     *
     * @return the prefix
     */
    String prefix() default "";

    /** The form in which an ID is written as text. */
    enum Form {
        /** {@link #BASE32} in a {@code String}; the only form of other types. */
        BY_TYPE,

        /**
         * 13 characters in Crockford's Base32, which sort as the IDs do in any collation:
         * {@link com.noctarius.snowcast.ids.SnowflakeId#toBase32}.
         */
        BASE32,

        /**
         * 11 characters of 0-9, A-Z and a-z: {@link com.noctarius.snowcast.ids.SnowflakeId#toBase62}. The column needs
         * a binary collation, because only by their character codes are the texts distinct and sort as the IDs do.
         */
        BASE62
    }
}
