// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that select a cluster. Printing the help loads this class, so it uses no class of Hazelcast, whose
 * loading takes a second.
 */
final class ClusterOptions {
    private static final Duration SHORTEST = Duration.ofMillis(100);

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "The addresses of members; by default $SNOWCAST_ADDRESS, or 127.0.0.1:5701.")
    private List<String> addresses = List.of();

    @Option(
            names = "--cluster-name",
            paramLabel = "NAME",
            description = "The name of the cluster; by default $SNOWCAST_CLUSTER, or dev.")
    private @Nullable String clusterName;

    @Option(
            names = "--client-config",
            paramLabel = "FILE",
            description = "A hazelcast-client.yaml or .xml in place of these two, for example with TLS or credentials.")
    private @Nullable Path configuration;

    @Option(
            names = "--connect-timeout",
            paramLabel = "DURATION",
            description = "For how long the command tries to connect; 10s by default.")
    private Duration timeout = Duration.ofSeconds(10);

    private final Terminal terminal;

    ClusterOptions(Terminal terminal) {
        this.terminal = terminal;
    }

    boolean isGiven() {
        return !addresses.isEmpty() || clusterName != null || configuration != null;
    }

    List<String> addresses() {
        return addresses.isEmpty()
                ? List.of(terminal.environment()
                        .getOrDefault("SNOWCAST_ADDRESS", "127.0.0.1:5701")
                        .split(","))
                : addresses;
    }

    String clusterName() {
        return clusterName == null ? terminal.environment().getOrDefault("SNOWCAST_CLUSTER", "dev") : clusterName;
    }

    @Nullable
    Path configuration() {
        if (configuration != null && (clusterName != null || !addresses.isEmpty())) {
            throw new WrongUseException("--client-config must not be given together with --address or --cluster-name");
        }
        return configuration;
    }

    Duration timeout() {
        if (timeout.compareTo(SHORTEST) < 0) {
            throw new WrongUseException("--connect-timeout must be 100ms or more: " + timeout);
        }
        return timeout;
    }
}
