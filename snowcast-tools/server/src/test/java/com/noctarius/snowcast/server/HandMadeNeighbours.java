// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.springframework.context.annotation.Primary;

/**
 * The processes of {@link HandMadeCluster} whose numbers are below {@link HandMadeCluster#PROCESSES}. Pictures of the
 * page show them with their node IDs.
 */
@Primary
final class HandMadeNeighbours implements Neighbours {
    @Override
    public Status.Server server() {
        return new Status.Server(uuid(1), "snowcast-server", "member", "shop");
    }

    @Override
    public List<Status.Member> members() {
        return processes(
                process -> !HandMadeCluster.isClient(process),
                process ->
                        new Status.Member(uuid(process), HandMadeCluster.host(process) + ":5701", false, process == 1));
    }

    @Override
    public List<Status.Client> clients() {
        return processes(
                HandMadeCluster::isClient,
                process -> new Status.Client(
                        uuid(process),
                        HandMadeCluster.client(process),
                        HandMadeCluster.host(process) + ":40512",
                        "JVM"));
    }

    private static <T> List<T> processes(IntPredicate isMeant, IntFunction<T> process) {
        return IntStream.range(0, HandMadeCluster.PROCESSES)
                .filter(isMeant)
                .mapToObj(process)
                .toList();
    }

    private static String uuid(int process) {
        return new UUID(0, process).toString();
    }
}
