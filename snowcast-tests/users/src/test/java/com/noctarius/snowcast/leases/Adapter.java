// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.leases;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.Snowcast;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The compiled code of docs/node-leases-adapters.md for one generator. */
record Adapter(String name, Method method) {
    private static final Path PAGE = Path.of("../../docs/node-leases-adapters.md");
    private static final Pattern HEADING_OR_BLOCK = Pattern.compile("(?m)^## (.*)$|^```java\n((?s:.*?))^```$");
    private static final Pattern OWN_CLASS = Pattern.compile("(?m)^(?:public final )?class (\\w+)");

    /** The name of an entity with the attribute that the page shows. */
    static final String ENTITY = "LeasedOrder";

    /** The lease that an adapter has requested, and the functions that it has passed to {@link NodeLease#generator}. */
    static final class Use {
        NodeLease lease = absent();
        NodeLease.Generator ids = absent();
        IntFunction<? extends LongSupplier> newGenerator = absent();
        LongUnaryOperator timestampMillis = absent();
        int generatorCount;

        @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // The fields are null before the adapter runs.
        private static <T> T absent() {
            return null;
        }
    }

    static String page() throws IOException {
        return Files.readString(PAGE);
    }

    /**
     * Compiles all code of the page, and an {@link #ENTITY}. Returns the pieces of code that create a guarded
     * generator. The name of a piece is its heading on the page. If a heading has several pieces, the names of the
     * later ones end in a number.
     */
    static List<Adapter> all(Path output) throws Exception {
        Map<String, Integer> counts = new HashMap<>();
        List<JavaFileObject> sources = new ArrayList<>();
        Map<String, String> names = new HashMap<>();
        sources.add(source(
                ENTITY,
                "import jakarta.persistence.*;\n@Entity(name = \"orders\")\npublic final class " + ENTITY
                        + " {\n@Id @LeasedTsids.LeasedTsid Long id;\n}\n"));
        String heading = "";
        Matcher matcher = HEADING_OR_BLOCK.matcher(page());
        while (matcher.find()) {
            if (matcher.group(1) != null) {
                heading = matcher.group(1);
                continue;
            }
            String code = matcher.group(2);
            Matcher ownClass = OWN_CLASS.matcher(code);
            String className = ownClass.find() ? ownClass.group(1) : "Snippet" + sources.size();
            sources.add(source(className, code));
            if (code.contains("lease.generator(")) {
                int count = counts.merge(heading, 1, Integer::sum);
                names.put(className, count == 1 ? heading : heading + " " + count);
            }
        }
        compile(sources, output);
        ClassLoader loader =
                URLClassLoader.newInstance(new URL[] {output.toUri().toURL()}, Adapter.class.getClassLoader());
        List<Adapter> adapters = new ArrayList<>();
        for (Map.Entry<String, String> name : new TreeMap<>(names).entrySet()) {
            Method[] methods = loader.loadClass(name.getKey()).getDeclaredMethods();
            for (Method method : methods) {
                if (List.of(method.getParameterTypes()).equals(List.of(Snowcast.class))) {
                    method.setAccessible(true);
                    adapters.add(new Adapter(name.getValue(), method));
                }
            }
        }
        return adapters;
    }

    private static JavaFileObject source(String className, String code) {
        String imports = lines(code, true);
        // Spring is not on the class path of this test.
        String body = lines(code, false).replace("@Bean\n", "");
        String text = "import com.noctarius.snowcast.*;\n" + imports + declaration(className, body);
        return new SimpleJavaFileObject(URI.create("string:///" + className + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }

    private static String declaration(String className, String body) {
        if (OWN_CLASS.matcher(body).find()) {
            return body;
        }
        boolean isMethod = body.contains("(Snowcast snowcast) {");
        return "class " + className + " {\n" + (isMethod ? body : "void run(Snowcast snowcast) {\n" + body + "}\n")
                + "}\n";
    }

    private static String lines(String code, boolean imports) {
        return code.lines()
                .filter(line -> line.startsWith("import ") == imports)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static void compile(List<JavaFileObject> sources, Path output) {
        StringWriter messages = new StringWriter();
        List<String> options = List.of("-d", output.toString(), "-proc:none");
        if (!ToolProvider.getSystemJavaCompiler()
                .getTask(messages, null, null, options, null, sources)
                .call()) {
            throw new AssertionError(messages.toString());
        }
    }

    ClassLoader loader() {
        return method.getDeclaringClass().getClassLoader();
    }

    /** Runs the code of the page. */
    Use use(Snowcast snowcast) throws Exception {
        return use(snowcast, null);
    }

    /** Runs the code of the page with a lease of this duration. Null means the default duration. */
    Use use(Snowcast snowcast, @Nullable Duration duration) throws Exception {
        Use use = new Use();
        Snowcast seen = (Snowcast) Proxy.newProxyInstance(
                Adapter.class.getClassLoader(), new Class<?>[] {Snowcast.class}, (proxy, method, arguments) -> {
                    NodeLeaseConfig config = (NodeLeaseConfig) arguments[0];
                    use.lease = snowcast.leaseNode(new NodeLeaseConfig(
                            name + " " + config.name(), config.maxNodeCount(), duration, config.backupCount()));
                    return seen(use);
                });
        method.invoke(newInstance(), seen);
        Objects.requireNonNull(use.ids);
        return use;
    }

    private Object newInstance() throws ReflectiveOperationException {
        var constructor = method.getDeclaringClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    @SuppressWarnings("unchecked")
    private static NodeLease seen(Use use) {
        return (NodeLease) Proxy.newProxyInstance(
                Adapter.class.getClassLoader(), new Class<?>[] {NodeLease.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("generator")) {
                        throw new AssertionError("an adapter calls " + method);
                    }
                    use.newGenerator = (IntFunction<? extends LongSupplier>) arguments[0];
                    use.timestampMillis = (LongUnaryOperator) arguments[1];
                    use.ids = use.lease.generator(
                            nodeId -> {
                                use.generatorCount++;
                                return use.newGenerator.apply(nodeId);
                            },
                            use.timestampMillis);
                    return use.ids;
                });
    }

    @Override
    public String toString() {
        return name;
    }
}
