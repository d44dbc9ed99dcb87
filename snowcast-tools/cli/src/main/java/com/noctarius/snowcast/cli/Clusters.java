// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.SnowcastException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Checks that the members at several addresses form one cluster. */
@Command(
        name = "clusters",
        mixinStandardHelpOptions = true,
        description = {
            "Checks that the members at all given addresses are one cluster: it asks each of them for its list of members.",
            "Two clusters of one name that do not know each other grant the same node IDs, so their IDs repeat.",
            "The exit code is 1 if there are two clusters or more, or members disagree; 3 if an address does not answer."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  snowcast clusters --address 10.0.0.5:5701,10.0.0.6:5701,10.0.0.7:5701 --cluster-name prod",
            "  snowcast clusters --client-config hazelcast-client.yaml --output json"
        })
final class Clusters implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Mixin
    private final ClusterOptions options;

    @Option(
            names = "--output",
            paramLabel = "FORM",
            description = "${COMPLETION-CANDIDATES}; JSON prints one object per line.")
    private Output output = Output.TABLE;

    private final Terminal terminal;

    Clusters(Terminal terminal) {
        this.terminal = terminal;
        this.options = new ClusterOptions(terminal);
    }

    /** The answer of the member at an address: the members that it lists; none if it did not answer. */
    private record Answer(String address, Map<UUID, String> members, String problem) {
        boolean sharesAMemberWith(Set<UUID> others) {
            return members.keySet().stream().anyMatch(others::contains);
        }
    }

    /** The answers of one cluster. If there are several answers, each lists a member that another answer lists, too. */
    private record Group(Set<UUID> members, List<Answer> answers) {
        boolean agrees() {
            return answers.stream().allMatch(answer -> answer.members.keySet().equals(members));
        }
    }

    @Override
    public Integer call() throws IOException {
        List<String> addresses = Cluster.addresses(options);
        if (addresses.isEmpty()) {
            throw new WrongUseException(
                    "the client configuration has no address: give those of the members by --address");
        }
        List<Answer> answers = new ArrayList<>();
        for (String address : addresses) {
            answers.add(ask(address));
        }
        List<Answer> silent =
                answers.stream().filter(answer -> answer.members.isEmpty()).toList();
        List<Group> groups = groups(answers);
        print(groups, silent);
        silent.forEach(answer -> terminal.err().println(answer.problem));
        boolean isOne = groups.size() <= 1 && groups.stream().allMatch(Group::agrees);
        return !isOne ? ExitCode.FOUND : silent.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private Answer ask(String address) throws IOException {
        try (Cluster cluster = Cluster.connectTo(address, options, main.isVerbose)) {
            return new Answer(address, cluster.members(), "");
        } catch (SnowcastException e) {
            return new Answer(address, Map.of(), String.valueOf(e.getMessage()));
        }
    }

    private static List<Group> groups(List<Answer> answers) {
        List<Group> groups = new ArrayList<>();
        for (Answer answer : answers) {
            if (answer.members.isEmpty()) {
                continue;
            }
            Group all = new Group(new TreeSet<>(answer.members.keySet()), new ArrayList<>(List.of(answer)));
            List<Group> shared = groups.stream()
                    .filter(group -> answer.sharesAMemberWith(group.members))
                    .toList();
            int place = shared.isEmpty() ? groups.size() : groups.indexOf(shared.get(0));
            for (Group group : shared) {
                all.members.addAll(group.members);
                all.answers.addAll(all.answers.size() - 1, group.answers);
                groups.remove(group);
            }
            groups.add(place, all);
        }
        return groups;
    }

    // --- output

    private void print(List<Group> groups, List<Answer> silent) {
        if (output == Output.JSON) {
            groups.forEach(group -> terminal.out().println(Json.of(values(group))));
        } else {
            table(groups, silent).lines().forEach(terminal.out()::println);
        }
        if (groups.size() > 1) {
            terminal.err()
                    .println(groups.size()
                            + " clusters of the same name answer, and do not list each other's members: all"
                            + " grant the same node IDs, so IDs repeat. If their members are to find each other, this is a"
                            + " network split, which Hazelcast merges when the network is whole; else correct the join"
                            + " configuration. See docs/operate/split-brain.md, Two clusters of one name.");
        }
        groups.stream()
                .filter(group -> !group.agrees())
                .forEach(group -> terminal.err()
                        .println("the members at "
                                + group.answers.stream().map(Answer::address).collect(Collectors.joining(", "))
                                + " list different members: a member joins or leaves, or a part of the network is split."
                                + " Ask again in a minute."));
    }

    private static Table table(List<Group> groups, List<Answer> silent) {
        Table table = new Table(">cluster", "address", ">members", "listed");
        for (int i = 0; i < groups.size(); i++) {
            for (Answer answer : groups.get(i).answers) {
                table.row(
                        Integer.toString(i + 1),
                        answer.address,
                        String.format(Locale.ROOT, "%,d", answer.members.size()),
                        addresses(answer));
            }
        }
        silent.forEach(answer -> table.row("-", answer.address, "-", "no answer"));
        return table;
    }

    private static String addresses(Answer answer) {
        return answer.members.values().stream().sorted().collect(Collectors.joining(", "));
    }

    private static Map<String, Object> values(Group group) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("addresses", group.answers.stream().map(Answer::address).toList());
        values.put("members", group.members);
        values.put("agree", group.agrees());
        return values;
    }
}
