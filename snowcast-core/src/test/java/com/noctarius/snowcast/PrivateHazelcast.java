// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Collects the classes and members of Hazelcast's private API that snowcast's classes use. */
final class PrivateHazelcast {
    private static final Pattern PRIVATE = Pattern.compile("com\\.hazelcast\\.(spi|.*\\b(impl|internal))\\..*");

    /**
     * For each private type, the members that snowcast uses or overrides: name, parameter types, and result or field
     * type.
     */
    private final Map<String, Set<String>> members = new TreeMap<>();

    private PrivateHazelcast() {}

    static PrivateHazelcast usedBy(JavaClasses ours) {
        PrivateHazelcast used = new PrivateHazelcast();
        ours.forEach(used::add);
        return used;
    }

    /** Returns the list as text: each type on a line, followed by its indented members. */
    String text() {
        return members.entrySet().stream()
                .map(type -> type.getKey() + "\n"
                        + type.getValue().stream()
                                .map(member -> "    " + member + "\n")
                                .collect(Collectors.joining()))
                .collect(Collectors.joining());
    }

    private void add(JavaClass ours) {
        for (Dependency dependency : ours.getDirectDependenciesFromSelf()) {
            addType(dependency.getTargetClass());
        }
        for (JavaAccess<?> access : ours.getAccessesFromSelf()) {
            addTarget(access.getTarget());
        }
        ours.getMethodReferencesFromSelf().forEach(reference -> addTarget(reference.getTarget()));
        ours.getConstructorReferencesFromSelf().forEach(reference -> addTarget(reference.getTarget()));
        ours.getMethods().forEach(method -> addOverridden(ours, method));
    }

    private void addType(JavaClass type) {
        JavaClass element = type.getBaseComponentType();
        if (PRIVATE.matcher(element.getName()).matches()) {
            members.computeIfAbsent(element.getName(), name -> new TreeSet<>());
        }
    }

    private void addTarget(AccessTarget target) {
        if (PRIVATE.matcher(target.getOwner().getName()).matches()) {
            addMember(target.getOwner(), target.getName(), descriptor(target));
        } else {
            // The owner may be one of our classes that inherits the member from a private class.
            target.resolveMember().ifPresent(member -> addInherited(member, target));
        }
    }

    private void addInherited(JavaMember member, AccessTarget target) {
        if (PRIVATE.matcher(member.getOwner().getName()).matches()) {
            addMember(member.getOwner(), target.getName(), descriptor(target));
        }
    }

    private void addOverridden(JavaClass ours, JavaMethod method) {
        String[] parameters =
                method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
        List<JavaClass> above = List.copyOf(ours.getAllRawSuperclasses());
        for (Collection<JavaClass> types : List.of(above, ours.getAllRawInterfaces())) {
            for (JavaClass type : types) {
                type.tryGetMethod(method.getName(), parameters)
                        .filter(overridden -> PRIVATE.matcher(type.getName()).matches())
                        .ifPresent(overridden -> addMember(
                                type,
                                overridden.getName(),
                                descriptor(overridden.getRawParameterTypes(), overridden.getRawReturnType())));
            }
        }
    }

    private void addMember(JavaClass owner, String name, String descriptor) {
        members.computeIfAbsent(owner.getName(), type -> new TreeSet<>()).add(name + descriptor);
    }

    private static String descriptor(AccessTarget target) {
        return target instanceof AccessTarget.CodeUnitAccessTarget code
                ? descriptor(code.getRawParameterTypes(), code.getRawReturnType())
                : " " + ((AccessTarget.FieldAccessTarget) target).getRawType().getName();
    }

    private static String descriptor(List<JavaClass> parameters, JavaClass returned) {
        return parameters.stream().map(JavaClass::getName).collect(Collectors.joining(", ", "(", ") "))
                + returned.getName();
    }
}
