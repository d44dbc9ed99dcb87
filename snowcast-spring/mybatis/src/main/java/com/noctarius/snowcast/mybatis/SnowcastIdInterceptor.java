// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.KeyForm;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.lang.reflect.Proxy;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.executor.statement.StatementHandler;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Plugin;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.reflection.DefaultReflectorFactory;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.reflection.ReflectionException;
import org.apache.ibatis.reflection.ReflectorFactory;
import org.apache.ibatis.reflection.SystemMetaObject;
import org.apache.ibatis.scripting.defaults.RawSqlSource;
import org.apache.ibatis.scripting.xmltags.DynamicSqlSource;
import org.apache.ibatis.scripting.xmltags.ForEachSqlNode;
import org.apache.ibatis.scripting.xmltags.MixedSqlNode;
import org.apache.ibatis.scripting.xmltags.StaticTextSqlNode;
import org.apache.ibatis.scripting.xmltags.TextSqlNode;
import org.apache.ibatis.scripting.xmltags.TrimSqlNode;
import org.apache.ibatis.session.ResultHandler;
import org.apache.ibatis.session.RowBounds;
import org.jspecify.annotations.Nullable;

/**
 * A MyBatis interceptor that sets the IDs of inserted objects; it does not need MyBatis-Plus. Put {@link SnowcastId} or
 * {@link SnowcastSequence} on the field or the getter of a property. The property gets an ID if the statement inserts
 * its value, as in {@code VALUES (#{id}, …)}, and this value is 0, {@code null}, an empty text or a wrapper of one of
 * these. The object may be the parameter, a property of the parameter ({@code #{order.id}}), or an element that
 * {@code <foreach>} iterates over, at any depth.
 *
 * <pre>{@code
 * @Bean
 * SnowcastIdInterceptor snowcastIds(
 *         Map<String, SnowcastSequencer> sequencers, Map<String, IntegerSequence> sequences) {
 *     return new SnowcastIdInterceptor(sequencers, sequences);
 * }
 * }</pre>
 *
 * <p>MyBatis' starter for Spring Boot registers the bean. Without Spring, call {@code configuration.addInterceptor}.
 *
 * <p>The text of the statement decides, not its annotation: the parameters of an {@code INSERT}, {@code MERGE},
 * {@code REPLACE} or {@code UPSERT} also get IDs under {@code @Update} and {@code @Select}. The parameters of an
 * {@code UPDATE}, a query, or a condition, such as the {@code WHERE} of an {@code INSERT … SELECT}, get no IDs. The
 * parameters of a procedure call get IDs only under {@code @Insert} or in an {@code <insert>}. {@code ${id}} gets no
 * ID, because MyBatis pastes it into the text as it is.
 *
 * <p>In an {@code <insert>} with {@code <if test="id != null">}, the interceptor sets the ID before MyBatis evaluates
 * the condition, provided that the statement then binds the ID. To find out whether the statement binds the ID, the
 * interceptor evaluates the statement before MyBatis does. The statement is evaluated up to three times in total, so an
 * iterable parameter must allow several iterations.
 *
 * <p>Thread-safe. Blocks as {@link SnowcastSequencer#next()} and {@link IntegerSequence#next()} do. A statement throws
 * a {@link PersistenceException} if the thread is interrupted, if an annotation names a sequencer or an integer
 * sequence that does not exist, if the annotated property has a type that cannot hold the ID, or if the property cannot
 * be set, as in a record. If {@code next()} throws, MyBatis throws a {@code PersistenceException} with that exception
 * as the cause.
 */
@Intercepts({
    @Signature(
            type = Executor.class,
            method = "update",
            args = {MappedStatement.class, Object.class}),
    @Signature(
            type = Executor.class,
            method = "query",
            args = {MappedStatement.class, Object.class, RowBounds.class, ResultHandler.class}),
    @Signature(
            type = StatementHandler.class,
            method = "parameterize",
            args = {java.sql.Statement.class})
})
public final class SnowcastIdInterceptor implements Interceptor {
    /** Caches the reflection on MyBatis' own classes, because SystemMetaObject repeats it at each use. */
    private static final ReflectorFactory REFLECTORS = new DefaultReflectorFactory();

    private final Named<SnowcastSequencer> sequencers;
    private final Named<IntegerSequence> sequences;

    /**
     * Creates an interceptor for objects that have no {@link SnowcastSequence}.
     *
     * @param sequencers the sequencers, with the names of their beans as keys
     * @throws NullPointerException if {@code sequencers} is null or contains null
     */
    public SnowcastIdInterceptor(Map<String, SnowcastSequencer> sequencers) {
        this(sequencers, Map.of());
    }

    /**
     * Creates an interceptor.
     *
     * @param sequencers the sequencers, with the names of their beans as keys
     * @param sequences the integer sequences, with the names of their beans as keys
     * @throws NullPointerException if an argument is null or contains null
     */
    public SnowcastIdInterceptor(Map<String, SnowcastSequencer> sequencers, Map<String, IntegerSequence> sequences) {
        this.sequencers = Named.sequencers(sequencers);
        this.sequences = Named.sequences(sequences);
    }

    /** Sets the IDs of a statement before it runs. MyBatis calls this. */
    @Override
    public @Nullable Object intercept(Invocation invocation) throws Throwable {
        try {
            if (invocation.getTarget() instanceof StatementHandler handler) {
                BoundSql sql = handler.getBoundSql();
                fill(statement(handler), handler.getParameterHandler().getParameterObject(), () -> sql, false);
            } else {
                MappedStatement statement = (MappedStatement) invocation.getArgs()[0];
                Object parameter = invocation.getArgs()[1];
                boolean isInsert = statement.getSqlCommandType() == SqlCommandType.INSERT;
                if (isInsert && isConditional(statement.getSqlSource())) {
                    fill(statement, parameter, () -> statement.getBoundSql(parameter), true);
                } else if (!isInsert && statement.getSqlSource() instanceof RawSqlSource) {
                    // Set the IDs before MyBatis looks into its cache. Without IDs, the parameters may equal the
                    // parameters of a cached query, and MyBatis would return the result of that query.
                    fill(statement, parameter, () -> statement.getBoundSql(parameter), false);
                }
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new PersistenceException(e.getMessage(), e);
        }
        return invocation.proceed();
    }

    /** Returns the statement of a handler, by reflection because the interface does not expose it. */
    private static MappedStatement statement(StatementHandler handler) {
        Object target = handler;
        while (Proxy.isProxyClass(target.getClass()) && Proxy.getInvocationHandler(target) instanceof Plugin plugin) {
            target = fieldsOf(plugin).getValue("target");
        }
        MetaObject unwrapped = fieldsOf(target);
        return (MappedStatement)
                unwrapped.getValue(unwrapped.hasGetter("delegate") ? "delegate.mappedStatement" : "mappedStatement");
    }

    private static MetaObject fieldsOf(Object object) {
        return MetaObject.forObject(
                object,
                SystemMetaObject.DEFAULT_OBJECT_FACTORY,
                SystemMetaObject.DEFAULT_OBJECT_WRAPPER_FACTORY,
                REFLECTORS);
    }

    /** Returns whether the text of a statement may depend on the value of an ID. */
    private static boolean isConditional(Object node) {
        if (node instanceof RawSqlSource || node instanceof StaticTextSqlNode || node instanceof TextSqlNode) {
            return false;
        }
        boolean isSource = node instanceof DynamicSqlSource;
        if (isSource || node instanceof MixedSqlNode || node instanceof ForEachSqlNode || node instanceof TrimSqlNode) {
            try {
                Object contents = fieldsOf(node).getValue(isSource ? "rootSqlNode" : "contents");
                return contents instanceof List<?> nodes
                        ? nodes.stream().anyMatch(SnowcastIdInterceptor::isConditional)
                        : isConditional(contents);
            } catch (ReflectionException e) {
                return true; // MyBatis has other fields in this version. True is always correct.
            }
        }
        return true;
    }

    /**
     * Sets the IDs of the objects that a statement is about to insert.
     *
     * @param sql returns the bound statement; each call may evaluate the statement again
     */
    private void fill(
            MappedStatement statement, @Nullable Object parameter, Supplier<BoundSql> sql, boolean isConditional) {
        BoundSql present = sql.get();
        List<Binding> bindings = Binding.all(statement.getConfiguration(), present, parameter);
        if (bindings.stream().noneMatch(Binding::hasVacancy)) {
            return;
        }
        List<Binding> inserted = inserted(statement, present, bindings);
        for (Binding binding : inserted) {
            binding.named().stream()
                    .filter(GeneratedProperty::isVacant)
                    .findFirst()
                    .ifPresent(property -> property.fill(next(property)));
        }
        // Two cases remain: the statement inserts an annotated property through a getter with another name; or its text
        // depends on the property, as with <if>, so that it inserts the property only if the property has an ID. To
        // find out, set all such properties, and read the bindings again.
        Set<GeneratedProperty> candidates = new LinkedHashSet<>();
        inserted.stream()
                .filter(binding -> isConditional || GeneratedProperty.isZero(binding.value()))
                .flatMap(binding -> binding.others().stream())
                .filter(property -> property.isSettable() && property.isVacant())
                .forEach(candidates::add);
        if (!candidates.isEmpty()) {
            attempt(candidates, inserted, () -> {
                BoundSql later = sql.get();
                return inserted(statement, later, Binding.all(statement.getConfiguration(), later, parameter));
            });
        }
    }

    /** Sets the IDs of the candidates, and resets each property whose ID the statement does not insert. */
    private void attempt(Set<GeneratedProperty> candidates, List<Binding> before, Supplier<List<Binding>> bindings) {
        Map<GeneratedProperty, @Nullable Object> former = new HashMap<>();
        try {
            for (GeneratedProperty property : candidates) {
                Object id = next(property);
                former.put(property, property.value());
                property.fill(id);
            }
            Map<String, @Nullable Object> valuesBefore = new HashMap<>();
            before.forEach(binding -> valuesBefore.put(binding.path(), binding.value()));
            Set<@Nullable Object> changed = new HashSet<>();
            for (Binding binding : bindings.get()) {
                former.keySet().removeAll(Set.copyOf(binding.named()));
                if (GeneratedProperty.isZero(valuesBefore.get(binding.path()))) {
                    changed.add(binding.value());
                }
            }
            former.keySet().removeIf(property -> changed.contains(property.value()));
        } finally {
            former.forEach(GeneratedProperty::set);
        }
    }

    private static List<Binding> inserted(MappedStatement statement, BoundSql sql, List<Binding> bindings) {
        BitSet inserted = InsertedParameters.of(
                sql.getSql(),
                sql.getParameterMappings().size(),
                statement.getSqlCommandType() == SqlCommandType.INSERT);
        return bindings.stream()
                .filter(binding -> inserted.get(binding.index()))
                .toList();
    }

    private Object next(GeneratedProperty property) {
        SnowcastId ofSequencer = property.annotated().getAnnotation(SnowcastId.class);
        SnowcastSequence ofSequence = property.annotated().getAnnotation(SnowcastSequence.class);
        String where = property.where();
        if (ofSequencer != null && ofSequence != null) {
            throw new PersistenceException(where + " must not have both @SnowcastId and @SnowcastSequence");
        }
        if (ofSequencer != null) {
            KeyForm form = KeyForm.of(where, ofSequencer, property.type());
            SnowcastSequencer sequencer = sequencers.find(ofSequencer.value(), where);
            form.check(sequencer);
            return form.write(Named.next(sequencer), sequencer);
        }
        boolean isInt = property.type() == int.class || property.type() == Integer.class;
        if (!isInt && property.type() != long.class && property.type() != Long.class) {
            throw new PersistenceException("@SnowcastSequence " + where
                    + " must be int or Integer or long or Long, not "
                    + property.type().getTypeName());
        }
        IntegerSequence sequence = sequences.find(ofSequence.value(), where);
        return isInt ? (Object) toInt(Named.next(sequence), where) : (Object) Named.next(sequence);
    }

    private static int toInt(long integer, String where) {
        if (integer > Integer.MAX_VALUE) {
            throw new PersistenceException("@SnowcastSequence " + where + " cannot hold " + integer
                    + ", which is above " + Integer.MAX_VALUE + "; make it a long");
        }
        return (int) integer;
    }
}
