// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects a sequencer or integer sequence into each field and parameter with {@link TestIds}. The extension has no
 * state, because JUnit keeps the created objects in its store for each test.
 */
final class TestIdsExtension implements BeforeEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(TestIdsExtension.class);

    TestIdsExtension() {}

    private record Key(Class<?> type, String name) {}

    @Override
    public void beforeEach(ExtensionContext context) throws IllegalAccessException {
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            for (Class<?> type = instance.getClass(); type != null; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    fill(instance, field, context);
                }
            }
        }
    }

    private static void fill(Object instance, Field field, ExtensionContext context) throws IllegalAccessException {
        TestIds ids = field.getAnnotation(TestIds.class);
        if (ids == null) {
            return;
        }
        int modifiers = field.getModifiers();
        if (Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw new ExtensionConfigurationException(
                    "@TestIds " + field + ": the field must be neither static nor final, as each test gets its own");
        }
        String name = ids.value().isEmpty() ? field.getName() : ids.value();
        field.setAccessible(true);
        field.set(instance, ids(field.getType(), name, "@TestIds " + field, context));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.isAnnotated(TestIds.class);
    }

    @Override
    public Object resolveParameter(ParameterContext context, ExtensionContext extensionContext) {
        Parameter parameter = context.getParameter();
        String where = "@TestIds " + parameter + " of " + context.getDeclaringExecutable();
        if (extensionContext.getTestMethod().isEmpty()) {
            throw new ExtensionConfigurationException(
                    where + ": the parameter would be shared by all tests of the class; take a field, or a parameter of"
                            + " the test or of a @BeforeEach method");
        }
        String given = context.findAnnotation(TestIds.class).map(TestIds::value).orElse("");
        if (given.isEmpty() && !parameter.isNamePresent()) {
            throw new ExtensionConfigurationException(where
                    + ": the compiler kept no name of the parameter; give one, as @TestIds(\"orders\"), or compile"
                    + " with -parameters");
        }
        return ids(parameter.getType(), given.isEmpty() ? parameter.getName() : given, where, extensionContext);
    }

    private static Object ids(Class<?> type, String name, String where, ExtensionContext context) {
        if (type == TestSequencer.class || type == SnowcastSequencer.class) {
            return made(TestSequencer.class, name, TestSequencer::named, context);
        }
        if (type == TestIntegerSequence.class || type == IntegerSequence.class) {
            return made(TestIntegerSequence.class, name, TestIntegerSequence::named, context);
        }
        throw new ExtensionConfigurationException(where
                + ": the type must be TestSequencer, SnowcastSequencer, TestIntegerSequence or IntegerSequence, not "
                + type.getName());
    }

    @SuppressWarnings("deprecation") // The replacement requires JUnit 5.14.
    private static <T> T made(Class<T> type, String name, Function<String, T> make, ExtensionContext context) {
        return Objects.requireNonNull(context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(new Key(type, name), key -> make.apply(key.name()), type));
    }
}
