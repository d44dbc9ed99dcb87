// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds sets of classes that depend on each other, directly or indirectly: the strongly connected components of their
 * dependencies (Tarjan, SIAM Journal on Computing 1(2), 1972). Nested classes count as part of their outer class.
 */
final class ClassCycles {
    private final Map<String, TreeSet<String>> dependencies = new TreeMap<>();
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final List<List<String>> cycles = new ArrayList<>();

    ClassCycles(Iterable<JavaClass> classes) {
        for (JavaClass each : classes) {
            dependencies.computeIfAbsent(topLevel(each), name -> new TreeSet<>());
        }
        for (JavaClass each : classes) {
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                String target = topLevel(dependency.getTargetClass().getBaseComponentType());
                dependencies.computeIfPresent(topLevel(each), (name, targets) -> {
                    targets.add(target);
                    return targets;
                });
            }
        }
        dependencies.keySet().forEach(name -> {
            if (!index.containsKey(name)) {
                visit(name);
            }
        });
    }

    private static String topLevel(JavaClass each) {
        return each.getEnclosingClass().map(ClassCycles::topLevel).orElse(each.getName());
    }

    private void visit(String name) {
        index.put(name, index.size());
        lowest.put(name, index.get(name));
        open.push(name);
        TreeSet<String> targets = dependencies.getOrDefault(name, new TreeSet<>());
        targets.retainAll(dependencies.keySet());
        for (String next : targets) {
            if (!index.containsKey(next)) {
                visit(next);
                lowest.merge(name, lowest.get(next), Math::min);
            } else if (open.contains(next)) {
                lowest.merge(name, index.get(next), Math::min);
            }
        }
        if (lowest.get(name).equals(index.get(name))) {
            List<String> cycle = new ArrayList<>();
            String member;
            do {
                member = open.pop();
                cycle.add(member);
            } while (!member.equals(name));
            cycles.add(cycle);
        }
    }

    List<List<String>> largerThan(int size) {
        return cycles.stream().filter(cycle -> cycle.size() > size).toList();
    }
}
