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
 * Marks an entity's identifier, which a snowcast sequencer generates before the row is inserted, so that inserts can be
 * batched. It works with JPA on Hibernate; through snowcast-spring, with Spring Data JDBC, R2DBC and MongoDB; through
 * snowcast-mybatis, with MyBatis; and through snowcast-micronaut, with Micronaut Data JDBC.
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
 * such as the default layout, turn negative after half of the layout's time. Negative IDs are unique, too, but a signed
 * column sorts them before the positive IDs, which are older. The layout {@code POSITIVE}, with 63 bits, avoids that. A
 * warning is logged for each sequencer that has a layout of 64 bits and serves a numeric attribute.
 *
 * <p><b>Hibernate:</b> The annotation is on the field or the getter of an entity, a mapped superclass, an embedded
 * identifier or an {@code @IdClass} entity; {@code @GeneratedValue} is not needed. Building the session factory throws
 * an {@code org.hibernate.MappingException} if the attribute has another type, or if the annotation has a form or a
 * prefix and the attribute holds no {@code String}. {@code persist}, {@code merge} and the methods of
 * {@code StatelessSession} keep an identifier that the application has set, unless it is 0, {@code null}, an empty text
 * or a wrapper of one of these. If the application has set the identifier of an entity without {@code @Version},
 * Hibernate may have to query the database to find out whether the row exists.
 * {@link com.noctarius.snowcast.hibernate.SnowcastSettings} lists the settings that tell Hibernate where the sequencers
 * are; Spring Boot users of snowcast-spring need no setting. Generating an ID blocks as
 * {@code SnowcastSequencer.next()} does. It throws an {@code org.hibernate.id.IdentifierGenerationException} if the
 * sequencer does not exist or throws, if the attribute cannot hold the ID, or if the thread is interrupted while it
 * waits; the thread's interrupt status is set again.
 *
 * <p><b>Spring Data JDBC, R2DBC and MongoDB:</b> The annotation is on the identifier of an aggregate root. The start of
 * the application, or saving an entity, throws an {@code org.springframework.data.mapping.MappingException} if the
 * identifier has another type, if the annotation has a form or a prefix and the identifier holds no {@code String}, or
 * if the sequencer does not exist. An ID that the application has set is kept, unless it is 0, {@code null}, an empty
 * text or a wrapper of one of these. Spring Data assumes that an entity with such an ID exists in the database, unless
 * the entity has a {@code @Version} or determines itself whether it is new. An immutable entity gets its ID in the same
 * way as an ID from a database: by a wither, or by a copy through its constructor. Callbacks of snowcast-spring set the
 * ID; their Javadoc says when they block.
 *
 * <p>Only Hibernate's users need Hibernate: without it, the JVM ignores the meta-annotation that names Hibernate's
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
     * Names the sequencer by its name in the cluster or database. With Spring, if there is not exactly one sequencer
     * with this name, the value is the name of the sequencer's bean.
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
     * Sets the text in front of each ID in a {@code String}: {@code "ord_"} yields {@code ord_0N77GAC8R1A07}. The
     * prefix has at most 32 characters of A-Z, a-z, 0-9, _ and -. Never change the prefix of a column that has rows.
     *
     * @return the prefix
     */
    String prefix() default "";

    /** The form in which an ID is written as text. */
    enum Form {
        /** {@link #BASE32} in a {@code String}; the only form of attributes that hold no {@code String}. */
        BY_TYPE,

        /**
         * 13 characters in Crockford's Base32, which sort as the IDs do in any collation:
         * {@link com.noctarius.snowcast.ids.SnowflakeId#toBase32}.
         */
        BASE32,

        /**
         * 11 characters of 0-9, A-Z and a-z: {@link com.noctarius.snowcast.ids.SnowflakeId#toBase62}. The column needs
         * a binary collation, because a case-insensitive collation treats different IDs as equal, and other collations
         * sort them differently from the IDs.
         */
        BASE62
    }
}
