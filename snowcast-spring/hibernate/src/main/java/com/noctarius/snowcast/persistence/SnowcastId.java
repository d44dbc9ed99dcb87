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
 * Takes the identifier of an entity from a snowcast sequencer, before the row is inserted, so that inserts can be
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
 * <p>The annotation stands next to {@code @Id} on a {@code long} or {@code Long}; the column is a 64-bit integer. IDs
 * of a layout of 64 bits, as the default one, turn negative in half of its time. They stay unique, but a signed column
 * then sorts them before all older ones: the layout {@code POSITIVE} has 63 bits. A warning is logged for each such
 * sequencer.
 *
 * <p><b>Hibernate:</b> on the field or the getter of an entity, a mapped superclass, an embedded identifier or an
 * {@code @IdClass} entity; {@code @GeneratedValue} is not needed. An attribute of another type, or a form or prefix on
 * what is no text, fails when the session factory is built, with an {@code org.hibernate.MappingException}. An
 * identifier that the application has set, which is neither 0, {@code null} nor an empty text, stays, with
 * {@code persist}, {@code merge} and the calls of {@code StatelessSession}; of an entity without {@code @Version}
 * Hibernate then asks the database whether it has the row, where that matters.
 * {@link com.noctarius.snowcast.hibernate.SnowcastSettings} says where the sequencer is found; Spring Boot users of
 * snowcast-spring need no setting. Generating an ID blocks as {@code SnowcastSequencer.next()} does. It fails with an
 * {@code org.hibernate.id.IdentifierGenerationException} if there is no such sequencer, if the sequencer gives no ID,
 * or if the thread is interrupted while it waits; its interrupt flag is set then.
 *
 * <p><b>Spring Data JDBC, R2DBC and MongoDB:</b> on the identifier of an aggregate root. An annotation on another type,
 * a form or prefix on what is no text, and the name of a sequencer that does not exist are an
 * {@code org.springframework.data.mapping.MappingException}. An ID that the application has set, which is neither 0 nor
 * {@code null}, stays; Spring Data then takes the entity for an existing one, unless it has a {@code @Version} or says
 * itself whether it is new. Immutable entities get their ID as from a database: by a wither, or by a copy that their
 * constructor makes. Callbacks of snowcast-spring set the ID and say how they block.
 *
 * <p>Neither library is needed where the other is used: without Hibernate the JVM ignores the annotation that names
 * Hibernate's generator.
 *
 * @see SnowcastSequence
 */
@IdGeneratorType(SnowcastIdGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface SnowcastId {
    /**
     * Names the sequencer: by its name in the cluster or, with Spring, by the name of its bean, if no sequencer or
     * several have that name in their clusters.
     *
     * @return the name of the sequencer, or of its bean
     */
    String value();

    /**
     * Says how an ID is written as text, in a {@code String}. Other types have no choice.
     *
     * @return the form
     */
    Form form() default Form.BY_TYPE;

    /**
     * Text in front of each ID, in a {@code String}: {@code "ord_"} makes {@code ord_0N77GAC8R1A07}. At most 32
     * characters of A-Z, a-z, 0-9, _ and -, and always the same for a column.
     *
     * @return the prefix
     */
    String prefix() default "";

    /** How an ID is written as text. */
    enum Form {
        /** {@link #BASE32} in a {@code String}; for other types the only form that they have. */
        BY_TYPE,

        /**
         * 13 characters in Crockford's Base32, which sort as the IDs do in any collation:
         * {@link com.noctarius.snowcast.ids.SnowflakeId#toBase32}.
         */
        BASE32,

        /**
         * 11 characters of 0-9, A-Z and a-z: {@link com.noctarius.snowcast.ids.SnowflakeId#toBase62}. They sort as the
         * IDs do, and are distinct, by their character codes only: the column needs a binary collation.
         */
        BASE62
    }
}
