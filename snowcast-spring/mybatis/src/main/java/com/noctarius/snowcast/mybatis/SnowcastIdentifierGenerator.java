// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.baomidou.mybatisplus.core.toolkit.ReflectionKit;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.persistence.SnowcastId;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.exceptions.PersistenceException;
import org.jspecify.annotations.Nullable;

/**
 * An identifier generator for MyBatis-Plus that uses sequencers. It replaces MyBatis-Plus' own generator, which guesses
 * node IDs from the hardware address and the process ID. With Spring Boot, the auto-configuration declares it. Without
 * Spring Boot, set it:
 *
 * <pre>{@code
 * GlobalConfigUtils.getGlobalConfig(configuration).setIdentifierGenerator(new SnowcastIdentifierGenerator(orders));
 * }</pre>
 *
 * <p>Annotate a {@code Long} or {@code String} key of an entity with {@code @TableId(type = IdType.ASSIGN_ID)}, which
 * is MyBatis-Plus' default, or a {@code String} key with {@code IdType.ASSIGN_UUID}. If there are several sequencers,
 * {@link SnowcastId} next to {@code @TableId} names one. MyBatis-Plus generates an identifier only if the attribute is
 * {@code null}, so the attribute must not be a {@code long}.
 *
 * <p>Thread-safe. Generating an identifier blocks as {@link SnowcastSequencer#next()} does. It throws a
 * {@link PersistenceException} if the thread is interrupted, if there is no sequencer for the entity, if the entity's
 * {@link SnowcastId} has a form or a prefix, or if the entity's identifier is not a {@code Long}, {@code String},
 * {@code BigInteger} or {@code BigDecimal}. In an {@code Integer}, for example, MyBatis-Plus would truncate the ID to
 * 32 bits.
 */
public final class SnowcastIdentifierGenerator implements IdentifierGenerator {
    private static final Set<Class<?>> TYPES =
            Set.of(long.class, Long.class, String.class, BigInteger.class, BigDecimal.class);

    private final Named<SnowcastSequencer> sequencers;
    private final @Nullable SnowcastSequencer unnamed;
    private final Map<Class<?>, SnowcastSequencer> byEntity = new ConcurrentHashMap<>();

    /**
     * Creates a generator that takes all identifiers from one sequencer, which entities need not name.
     *
     * @param sequencer the sequencer
     * @throws NullPointerException if {@code sequencer} is null
     */
    public SnowcastIdentifierGenerator(SnowcastSequencer sequencer) {
        this(Map.of(Objects.requireNonNull(sequencer, "sequencer").getSequencerName(), sequencer), sequencer);
    }

    /**
     * Creates a generator for entities that name their sequencers.
     *
     * @param sequencers the sequencers, with the names of their beans as keys
     * @param unnamed the sequencer of entities without {@link SnowcastId}, and of {@code IdWorker.getId()}; null if
     *     such an entity or call is to throw a {@link PersistenceException}
     * @throws NullPointerException if {@code sequencers} is null or contains null
     */
    public SnowcastIdentifierGenerator(Map<String, SnowcastSequencer> sequencers, @Nullable SnowcastSequencer unnamed) {
        this.sequencers = Named.sequencers(sequencers);
        this.unnamed = unnamed;
    }

    /**
     * {@return the next ID of the entity's sequencer}
     *
     * @param entity the entity; null if the application calls MyBatis-Plus' {@code IdWorker}
     * @throws PersistenceException as described for the class
     * @throws com.noctarius.snowcast.SnowcastException if {@link SnowcastSequencer#next()} throws it
     */
    @Override
    public Long nextId(@Nullable Object entity) {
        return Named.next(sequencerOf(entity));
    }

    /**
     * {@return the next ID of the entity's sequencer as {@link SnowflakeId#toUuid()}, without hyphens} These UUIDs sort
     * as the IDs do, unlike the random UUIDs of MyBatis-Plus.
     *
     * @param entity the entity
     * @throws PersistenceException as described for the class
     * @throws com.noctarius.snowcast.SnowcastException if {@link SnowcastSequencer#next()} throws it
     */
    @Override
    public String nextUUID(@Nullable Object entity) {
        SnowcastSequencer sequencer = sequencerOf(entity);
        return SnowflakeId.of(Named.next(sequencer), sequencer)
                .toUuid()
                .toString()
                .replace("-", "");
    }

    private SnowcastSequencer sequencerOf(@Nullable Object entity) {
        return entity == null ? unnamed("IdWorker") : byEntity.computeIfAbsent(entity.getClass(), this::find);
    }

    private SnowcastSequencer find(Class<?> entity) {
        TableInfo table = TableInfoHelper.getTableInfo(entity);
        if (table == null) {
            return unnamed(entity.getName());
        }
        String key = table.getKeyProperty();
        if (!TYPES.contains(table.getKeyType())) {
            throw new PersistenceException("@TableId " + entity.getName() + "." + key + " must be Long or String, not "
                    + table.getKeyType().getTypeName() + ", which an ID of 64 bits does not fit");
        }
        for (Field field : ReflectionKit.getFieldList(entity)) {
            SnowcastId named = field.getAnnotation(SnowcastId.class);
            if (named != null && field.getName().equals(key)) {
                if (named.form() != SnowcastId.Form.BY_TYPE || !named.prefix().isEmpty()) {
                    throw new PersistenceException(
                            "@SnowcastId " + entity.getName() + "." + key + " must have neither form"
                                    + " nor prefix: the text is MyBatis-Plus' own, digits or a UUID. Remove them, or use"
                                    + " IdType.INPUT and set the key yourself");
                }
                return sequencers.find(named.value(), entity.getName() + "." + key);
            }
        }
        return unnamed(entity.getName() + "." + key);
    }

    private SnowcastSequencer unnamed(String where) {
        if (unnamed == null) {
            throw new PersistenceException("No sequencer for " + where + ", which names none; there are: "
                    + sequencers.names() + ". Name one by @SnowcastId next to @TableId, or declare a"
                    + " SnowcastIdentifierGenerator with a sequencer for entities that name none");
        }
        return unnamed;
    }
}
