// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import java.lang.reflect.Parameter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Analyzes a start that failed because the application needs a sequencer or an integer sequence, and no bean matches,
 * or several do. The analysis lists the names of the beans. This analyzer runs before Boot's own analyzers, which do
 * not know that these names are keys in the properties.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class InjectionFailureAnalyzer implements FailureAnalyzer {
    private final BeanFactory beanFactory;

    InjectionFailureAnalyzer(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        InjectionPoint point = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsatisfiedDependencyException unsatisfied) {
                point = unsatisfied.getInjectionPoint();
            }
            if (cause instanceof NoSuchBeanDefinitionException missing) {
                Class<?> type = missing.getBeanType();
                if (type == SnowcastSequencer.class) {
                    return analysis(
                            missing,
                            type,
                            PropertyNames.SEQUENCERS + ".orders.epoch=2024-01-01T00:00:00Z",
                            point,
                            failure);
                }
                if (type == IntegerSequence.class) {
                    return analysis(missing, type, PropertyNames.SEQUENCES + ".products.first-value=1", point, failure);
                }
            }
        }
        return null;
    }

    private FailureAnalysis analysis(
            NoSuchBeanDefinitionException missing,
            Class<?> type,
            String property,
            @Nullable InjectionPoint point,
            Throwable failure) {
        Collection<String> names = new TreeSet<>(names(missing, type));
        String wanted = point == null ? null : wanted(point);
        String needs = (point == null ? "The application" : where(point)) + " needs one " + type.getSimpleName();
        if (names.isEmpty()) {
            return new FailureAnalysis(
                    needs + ", and there is none.",
                    "Configure it: " + property + ". Or declare a bean of that type",
                    failure);
        }
        String closest = names.stream()
                .filter(name -> wanted != null && plain(name).equals(plain(wanted)))
                .findFirst()
                .orElse(names.iterator().next());
        return new FailureAnalysis(
                needs + ". There " + (names.size() == 1 ? "is: " : "are: ") + String.join(", ", names)
                        + (wanted == null ? "." : "; none of them has the name \"" + wanted + "\"."),
                "Select one by @Qualifier(\"" + closest + "\"), or by the name of the parameter or field. The names are"
                        + " the keys in the properties. To inject one by default, declare it as a bean that is"
                        + " @Primary",
                failure);
    }

    private Collection<String> names(NoSuchBeanDefinitionException missing, Class<?> type) {
        Collection<String> found =
                missing instanceof NoUniqueBeanDefinitionException several ? several.getBeanNamesFound() : null;
        if (found != null) {
            return found;
        }
        return beanFactory instanceof ListableBeanFactory listable
                ? List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(listable, type, true, false))
                : List.of();
    }

    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    /** Returns the name of the wanted bean; null if the class file lacks the name of the parameter. */
    private static @Nullable String wanted(InjectionPoint point) {
        Qualifier qualifier = point.getAnnotation(Qualifier.class);
        if (qualifier != null && !qualifier.value().isEmpty()) {
            return qualifier.value();
        }
        if (point.getField() != null) {
            return point.getField().getName();
        }
        Parameter parameter = Objects.requireNonNull(point.getMethodParameter()).getParameter();
        return parameter.isNamePresent() ? parameter.getName() : null;
    }

    private static String where(InjectionPoint point) {
        if (point.getField() != null) {
            return "Field " + point.getField().getName() + " in "
                    + point.getField().getDeclaringClass().getName();
        }
        MethodParameter parameter = Objects.requireNonNull(point.getMethodParameter());
        return "Parameter " + parameter.getParameterIndex() + " of "
                + (parameter.getConstructor() != null
                        ? "constructor"
                        : "method "
                                + Objects.requireNonNull(parameter.getMethod()).getName())
                + " in " + parameter.getContainingClass().getName();
    }
}
