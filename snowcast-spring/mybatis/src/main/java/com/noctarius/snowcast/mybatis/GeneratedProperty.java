// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import com.noctarius.snowcast.persistence.KeyForm;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.reflection.ReflectionException;
import org.apache.ibatis.reflection.property.PropertyNamer;
import org.jspecify.annotations.Nullable;

/**
 * A property that has a {@link SnowcastId} or {@link SnowcastSequence}, of an object that a statement uses.
 *
 * @param object the object, as MyBatis reads and writes it
 * @param name the name of the property, as MyBatis knows it
 * @param annotated the field or the method with the annotation
 */
record GeneratedProperty(MetaObject object, String name, AnnotatedElement annotated) {
    private static final ClassValue<Map<String, AnnotatedElement>> ANNOTATED = new ClassValue<>() {
        @Override
        protected Map<String, AnnotatedElement> computeValue(Class<?> type) {
            Map<String, AnnotatedElement> annotated = new HashMap<>();
            collect(type, annotated);
            return Map.copyOf(annotated);
        }
    };

    /** Returns the annotated fields and methods of a class and its supertypes, with the property names as keys. */
    static Map<String, AnnotatedElement> annotated(Class<?> type) {
        return ANNOTATED.get(type);
    }

    private static void collect(@Nullable Class<?> type, Map<String, AnnotatedElement> annotated) {
        if (type == null || type == Object.class) {
            return;
        }
        for (Field field : type.getDeclaredFields()) {
            if (isAnnotated(field)) {
                annotated.putIfAbsent(field.getName(), field);
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (isAnnotated(method)) {
                String name = method.getName();
                boolean isProperty = !type.isRecord() && PropertyNamer.isProperty(name);
                annotated.putIfAbsent(isProperty ? PropertyNamer.methodToProperty(name) : name, method);
            }
        }
        collect(type.getSuperclass(), annotated);
        for (Class<?> implemented : type.getInterfaces()) {
            collect(implemented, annotated);
        }
    }

    private static boolean isAnnotated(AnnotatedElement element) {
        return element.isAnnotationPresent(SnowcastId.class) || element.isAnnotationPresent(SnowcastSequence.class);
    }

    String where() {
        return object.getOriginalObject().getClass().getName() + "." + name;
    }

    /** Compares the objects by identity. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GeneratedProperty property
                && object.getOriginalObject() == property.object.getOriginalObject()
                && name.equals(property.name);
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(object.getOriginalObject()) + name.hashCode();
    }

    private String annotationName() {
        return annotated.isAnnotationPresent(SnowcastId.class) ? "@SnowcastId" : "@SnowcastSequence";
    }

    Class<?> type() {
        return object.getGetterType(name);
    }

    @Nullable
    Object value() {
        return object.getValue(name);
    }

    boolean isSettable() {
        return object.hasSetter(name);
    }

    /**
     * Returns whether the property can be read and has no ID yet: it is null, 0 or an empty text, or wraps one of
     * these.
     */
    boolean isVacant() {
        if (!object.hasGetter(name)) {
            return false;
        }
        Object value = value();
        SnowcastId annotation = annotated.getAnnotation(SnowcastId.class);
        if (annotation == null || value == null || value instanceof Number) {
            return isZero(value);
        }
        return !KeyForm.of(where(), annotation, type()).isSet(value);
    }

    /** Returns whether a value is null or 0, the values of a property that was never set. */
    static boolean isZero(@Nullable Object value) {
        return value == null || (value instanceof Number number && number.longValue() == 0);
    }

    /** Sets the ID. Throws if the property has no ID afterwards, because MyBatis would store it as 0 or null. */
    void fill(Object id) {
        set(id);
        if (isVacant()) {
            throw unsettable("it is " + value() + " after " + id + " was set", null);
        }
    }

    void set(@Nullable Object value) {
        if (!isSettable()) {
            throw unsettable("it has no setter and no field that can be set", null);
        }
        try {
            object.setValue(name, value);
        } catch (ReflectionException e) {
            throw unsettable(e.getMessage(), e);
        }
    }

    private PersistenceException unsettable(@Nullable String why, @Nullable Exception cause) {
        return new PersistenceException(
                annotationName() + " " + where() + " would be stored as 0 or null, and cannot get an ID: " + why
                        + ". Annotate a property that can be set, of the object that is inserted, or set the ID before",
                cause);
    }
}
