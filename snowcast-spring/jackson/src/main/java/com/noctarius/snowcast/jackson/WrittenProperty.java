// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A property, as Jackson sees it, of a class that Jackson writes.
 *
 * @param name the name in Java or Kotlin
 * @param type the type of the written value; null if Jackson only reads the property
 * @param isAnnotated whether Jackson sees a {@link JsonSnowcastId} when it writes the property
 * @param parameters the constructor parameters that Jackson associates with this property
 */
record WrittenProperty(
        String name, @Nullable Class<?> type, boolean isAnnotated, List<ConstructorParameter> parameters) {
    private static final String KOTLIN = "kotlin.Metadata";

    record ConstructorParameter(Member constructor, int index) {}

    /**
     * Throws if a constructor parameter has the annotation, but Jackson would write its property without heeding the
     * annotation. Kotlin has two such cases. Without Kotlin's module, Jackson does not know the names of parameters. If
     * a parameter is a value class, the module reads a private constructor, but the compiler annotates another
     * constructor.
     */
    static void requireHeeded(Class<?> type, Supplier<List<WrittenProperty>> properties) {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Parameter[] parameters = constructor.getParameters();
            List<Parameter> annotated = Arrays.stream(parameters)
                    .filter(WrittenProperty::isAnnotated)
                    .toList();
            for (Parameter parameter : annotated) {
                int index = List.of(parameters).indexOf(parameter);
                if (!isHeeded(constructor, index, annotated.size(), properties.get())) {
                    throw new IllegalArgumentException("@JsonSnowcastId on parameter " + (index + 1) + " of "
                            + constructor.toGenericString() + " has no effect, so the ID would be a number in JSON,"
                            + " which JavaScript rounds: Jackson does not know the property of the parameter."
                            + " Annotate the property: in Kotlin write @get:JsonSnowcastId, in Java annotate the"
                            + " field or the getter");
                }
            }
        }
    }

    private static boolean isAnnotated(Parameter parameter) {
        return Arrays.stream(parameter.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(annotation ->
                        annotation == JsonSnowcastId.class || annotation.isAnnotationPresent(JsonSnowcastId.class));
    }

    private static boolean isHeeded(
            Constructor<?> constructor, int index, int annotated, List<WrittenProperty> properties) {
        ConstructorParameter parameter = new ConstructorParameter(constructor, index);
        Class<?> declaring = constructor.getDeclaringClass();
        List<WrittenProperty> suspects;
        if (properties.stream().anyMatch(property -> property.parameters.contains(parameter))) {
            suspects = properties.stream()
                    .filter(property -> property.parameters.contains(parameter))
                    .toList();
        } else if (Arrays.stream(declaring.getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getName().equals(KOTLIN))) {
            // Kotlin's compiler declares the fields of the primary constructor's properties first, in the order of its
            // parameters.
            List<Field> fields = Arrays.stream(declaring.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers()))
                    .toList();
            suspects = properties.stream()
                    .filter(property -> index < fields.size()
                            && property.isOf(fields.get(index).getName()))
                    .toList();
        } else if (properties.stream().filter(WrittenProperty::isAnnotated).count() >= annotated) {
            return true;
        } else {
            Class<?> type = constructor.getParameterTypes()[index];
            suspects = properties.stream()
                    .filter(property -> property.type == type)
                    .toList();
        }
        return suspects.stream().allMatch(property -> property.isAnnotated || property.type == null);
    }

    /**
     * Returns whether this property belongs to a field. Kotlin appends a hyphen and a hash to the name of a getter that
     * returns a value class.
     */
    private boolean isOf(String field) {
        return name.equals(field) || name.startsWith(field + "-");
    }
}
