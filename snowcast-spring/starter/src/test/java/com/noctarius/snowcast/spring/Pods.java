// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.server.HazelcastMemberStarter;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.status.ClusterStatus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs processes in place of pods, with the configuration of a {@link Manifest}. Each process has its own loopback
 * address, which requires Linux. The processes find each other by a host name; a hosts file stands for the DNS of
 * Kubernetes.
 */
final class Pods implements AutoCloseable {
    /** Unusual time zones for the processes, because the tests must pass in every time zone. */
    private static final List<String> TIME_ZONES = List.of("Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham");

    private static final Pattern MOUNT = Pattern.compile("/(etc|var)/\\w+");

    /**
     * The prefix of all addresses. It depends on the ID of this process, because other processes may run tests with the
     * same ports at the same time.
     */
    private static final String NETWORK = network(ProcessHandle.current().pid());

    private final Path directory;
    private final Path hosts;
    private final List<Pod> living = new CopyOnWriteArrayList<>();
    private int started;

    /** Creates an object without pods. The directory must be empty. */
    Pods(Path directory) {
        this.directory = directory;
        this.hosts = directory.resolve("hosts");
    }

    /** A process in place of a pod. The address of a pod is never used again, not even after the pod has ended. */
    record Pod(String service, String address, Process process, Path output) {
        /** Sends SIGTERM, and does not wait for the end of the process. */
        void terminate() {
            if (!process.toHandle().destroy()) {
                throw new AssertionError("no signal to " + this);
            }
        }

        @Override
        public String toString() {
            try {
                List<String> lines = Files.readAllLines(output);
                return address + " (alive: " + process.isAlive() + "), which said last:\n"
                        + String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
            } catch (IOException e) {
                return address + ": " + e;
            }
        }
    }

    private static String network(long pid) {
        return "127." + (1 + pid / 254 % 254) + "." + (1 + pid % 254) + ".";
    }

    List<Pod> living() {
        return living;
    }

    /** Starts pods in parallel, with the application or only Hazelcast. Does not wait until they are ready. */
    List<Pod> start(Manifest manifest, Class<?> main, int count, List<String> flags) throws IOException {
        String service = manifest.ofKind("Service")
                .map(each -> Manifest.at(each, "metadata", "name").toString())
                .findFirst()
                .orElseThrow();
        List<String> addresses =
                Stream.generate(() -> NETWORK + ++started).limit(count).toList();
        // The host name also resolves to the addresses of pods that are starting (publishNotReadyAddresses).
        writeHosts(service, addresses);
        List<Pod> pods = new ArrayList<>();
        for (String address : addresses) {
            Pod pod = startAt(address, service, manifest, main, flags);
            pods.add(pod);
            living.add(pod);
        }
        return pods;
    }

    private void writeHosts(String service, List<String> more) throws IOException {
        Stream<String> names = Stream.concat(
                living.stream().map(pod -> pod.address() + " " + pod.service()),
                more.stream().map(address -> address + " " + service));
        String self = "127.0.0.1 localhost " + InetAddress.getLocalHost().getHostName();
        Files.writeString(hosts, Stream.concat(Stream.of(self), names).collect(Collectors.joining("\n", "", "\n")));
    }

    private Pod startAt(String address, String service, Manifest manifest, Class<?> main, List<String> flags)
            throws IOException {
        Path files = Files.createDirectories(directory.resolve(address));
        for (Map.Entry<String, String> file : manifest.files().entrySet()) {
            Files.writeString(files.resolve(file.getKey()), mounted(file.getValue(), files));
        }
        Map<String, String> environment = manifest.environment();
        boolean isApplication = main != HazelcastMemberStarter.class;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Duser.timezone=" + TIME_ZONES.get(started % TIME_ZONES.size()),
                "-Djdk.net.hosts.file=" + hosts,
                "-Dsun.net.inetaddr.ttl=0",
                "-Dhazelcast.local.localAddress=" + address,
                "-Dhazelcast.socket.bind.any=false",
                "-Dhazelcast.phone.home.enabled=false"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(flags);
        if (isApplication) {
            command.addAll(List.of("-cp", Boot.classPathOfOneDependency(), main.getName()));
            command.addAll(List.of(
                    "--server.address=" + address,
                    "--management.endpoint.health.show-components=always",
                    "--" + Boot.NO_DATABASES));
        } else {
            // The image's command, "hz start", also passes JAVA_OPTS to the JVM.
            command.add(mounted(environment.getOrDefault("JAVA_OPTS", ""), files));
            command.addAll(List.of("-cp", classPathOfMembers(), main.getName()));
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(files.resolve("output.txt").toFile());
        environment.forEach((name, value) -> builder.environment().put(name, mounted(value, files)));
        return new Pod(service, address, builder.start(), files.resolve("output.txt"));
    }

    /** Replaces the mount path of a volume by a directory of this machine. */
    private static String mounted(String text, Path files) {
        return MOUNT.matcher(text).replaceAll(Matcher.quoteReplacement(files.toString()));
    }

    private static String classPathOfMembers() {
        return Stream.of(SnowcastSystem.class, ClusterStatus.class, Hazelcast.class)
                .map(type -> {
                    try {
                        return Path.of(type.getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                                .toString();
                    } catch (URISyntaxException e) {
                        throw new AssertionError(e);
                    }
                })
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    /** Removes a pod that has ended from the hosts file. */
    void ended(Pod pod) throws IOException {
        living.remove(pod);
        writeHosts(pod.service(), List.of());
    }

    @Override
    public void close() {
        living.forEach(pod -> pod.process().destroyForcibly());
    }
}
