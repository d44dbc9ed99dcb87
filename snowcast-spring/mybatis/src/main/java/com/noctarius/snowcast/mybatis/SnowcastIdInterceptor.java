// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.KeyForm;
import com.noctarius.snowcast.persistence.SnowcastId;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.reflection.MetaObject;
import org.jspecify.annotations.Nullable;

/**
 * Gives objects that MyBatis inserts their IDs, without MyBatis-Plus: before an {@code INSERT} is prepared, every
 * parameter, and every element of a collection or array that is a parameter, gets an ID into its field with
 * {@link SnowcastId}, of a type that it says, if that is 0 or {@code null}. The statement uses it as any
 * property: {@code VALUES (#{id}, …)}.
 *
 * <pre>{@code
 * @Bean
 * SnowcastIdInterceptor snowcastIds(Map<String, SnowcastSequencer> sequencers) {
 *     return new SnowcastIdInterceptor(sequencers);
 * }
 * }</pre>
 *
 * <p>MyBatis' starter for Spring Boot finds the bean; without Spring, {@code configuration.addInterceptor}.
 *
 * <p>Thread-safe. Blocks as {@link SnowcastSequencer#next()} does. An insert fails with a {@link PersistenceException} if
 * the thread is interrupted, if the annotation names a sequencer that does not exist or stands on another type, and
 * with the exception of {@link SnowcastSequencer#next()} if that fails.
 */
@Intercepts(
        @Signature(
                type = Executor.class,
                method = "update",
                args = {MappedStatement.class, Object.class}))
public final class SnowcastIdInterceptor implements Interceptor {
    private static final ClassValue<Optional<Field>> ID_FIELDS = new ClassValue<>() {
        @Override
        protected Optional<Field> computeValue(Class<?> type) {
            return idField(type);
        }
    };

    private final NamedSequencers sequencers;

    /**
     * Creates an interceptor.
     *
     * @param sequencers the sequencers by the names of their beans
     * @throws NullPointerException if {@code sequencers} is null, or has a null
     */
    public SnowcastIdInterceptor(Map<String, SnowcastSequencer> sequencers) {
        this.sequencers = new NamedSequencers(Objects.requireNonNull(sequencers, "sequencers"));
    }

    private static Optional<Field> idField(Class<?> type) {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                if (field.isAnnotationPresent(SnowcastId.class)) {
                    return Optional.of(field);
                }
            }
        }
        return Optional.empty();
    }

    /** To be called by MyBatis. */
    @Override
    public @Nullable Object intercept(Invocation invocation) throws Throwable {
        MappedStatement statement = (MappedStatement) invocation.getArgs()[0];
        if (statement.getSqlCommandType() == SqlCommandType.INSERT) {
            for (Object parameter : elements(invocation.getArgs()[1])) {
                elements(parameter).forEach(object -> fill(statement, object));
            }
        }
        return invocation.proceed();
    }

    /** MyBatis puts several parameters, and collections, into a map; there, one may have several names. */
    private static Collection<?> elements(@Nullable Object parameter) {
        if (parameter instanceof Map<?, ?> map) {
            return map.values();
        }
        if (parameter instanceof Collection<?> collection) {
            return collection;
        }
        if (parameter instanceof Object[] array) {
            return Arrays.asList(array);
        }
        return parameter == null ? List.of() : List.of(parameter);
    }

    private void fill(MappedStatement statement, @Nullable Object object) {
        if (object != null) {
            ID_FIELDS.get(object.getClass()).ifPresent(field -> fill(statement, object, field));
        }
    }

    private void fill(MappedStatement statement, Object object, Field field) {
        String where = object.getClass().getName() + "." + field.getName();
        SnowcastId annotation = field.getAnnotation(SnowcastId.class);
        try {
            KeyForm form = KeyForm.of(where, annotation, field.getType());
            MetaObject properties = statement.getConfiguration().newMetaObject(object);
            Object present = properties.getValue(field.getName());
            if (present == null || present.equals(0L)) {
                SnowcastSequencer sequencer = sequencers.find(annotation.value(), where);
                form.check(sequencer);
                properties.setValue(field.getName(), form.write(NamedSequencers.next(sequencer), sequencer));
            }
        } catch (IllegalArgumentException e) {
            throw new PersistenceException(e.getMessage(), e);
        }
    }
}
