// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.mapping.ParameterMode;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.reflection.SystemMetaObject;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a statement that MyBatis binds.
 *
 * @param index the index among all parameters of the statement
 * @param path the expression that MyBatis evaluates, for example {@code order.customer.id}
 * @param named the annotated properties that the path contains
 * @param others the other annotated properties of the objects on the path
 * @param value the current value of the path
 */
record Binding(
        int index,
        String path,
        List<GeneratedProperty> named,
        List<GeneratedProperty> others,
        @Nullable Object value) {

    /**
     * Returns the parameters that a statement binds, with their current values. Omits {@code OUT} parameters, and a
     * parameter object that a type handler writes.
     */
    static List<Binding> all(Configuration configuration, BoundSql sql, @Nullable Object parameter) {
        boolean isBean =
                parameter != null && !configuration.getTypeHandlerRegistry().hasTypeHandler(parameter.getClass());
        MetaObject root = isBean ? configuration.newMetaObject(parameter) : SystemMetaObject.NULL_META_OBJECT;
        List<Binding> bindings = new ArrayList<>();
        List<ParameterMapping> mappings = sql.getParameterMappings();
        for (int i = 0; i < mappings.size(); i++) {
            String path = mappings.get(i).getProperty();
            if (mappings.get(i).getMode() == ParameterMode.OUT) {
                continue;
            }
            if (sql.hasAdditionalParameter(path)) {
                bindings.add(read(configuration, i, path, null, sql::getAdditionalParameter));
            } else if (isBean) {
                bindings.add(read(configuration, i, path, parameter, root::getValue));
            }
        }
        return bindings;
    }

    private static Binding read(
            Configuration configuration,
            int index,
            String path,
            @Nullable Object root,
            Function<String, @Nullable Object> values) {
        List<GeneratedProperty> named = new ArrayList<>();
        List<GeneratedProperty> others = new ArrayList<>();
        Object owner = root;
        int start = 0;
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', start)) {
            sort(configuration, owner, path.substring(start, dot), named, others);
            owner = values.apply(path.substring(0, dot));
            start = dot + 1;
        }
        sort(configuration, owner, path.substring(start), named, others);
        Object value = values.apply(path);
        if (value != null && !GeneratedProperty.annotated(value.getClass()).isEmpty()) {
            // A type handler stores the value. If its class has only one field, assume that the handler stores this
            // field, and treat the field as the last step of the path, so that its property is one of {@code named}.
            List<Field> fields = Arrays.stream(value.getClass().getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers()))
                    .toList();
            if (fields.size() == 1) {
                sort(configuration, value, fields.get(0).getName(), named, others);
            }
        }
        return new Binding(index, path, named, others, value);
    }

    private static void sort(
            Configuration configuration,
            @Nullable Object owner,
            String step,
            List<GeneratedProperty> named,
            List<GeneratedProperty> others) {
        if (owner == null) {
            return;
        }
        Map<String, AnnotatedElement> annotated = GeneratedProperty.annotated(owner.getClass());
        if (annotated.isEmpty()) {
            return;
        }
        int bracket = step.indexOf('[');
        String name = bracket < 0 ? step : step.substring(0, bracket);
        MetaObject object = configuration.newMetaObject(owner);
        annotated.forEach((property, element) ->
                (property.equals(name) ? named : others).add(new GeneratedProperty(object, property, element)));
    }

    boolean hasVacancy() {
        return named.stream().anyMatch(GeneratedProperty::isVacant)
                || others.stream().anyMatch(GeneratedProperty::isVacant);
    }
}
