// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.service.StorageService;

/**
 * The main class of the process of a node. Prints {@code READY} when the node serves requests. Then it executes the
 * command on each line of its input, and answers with {@code OK} and the result. It ends at the end of its input, so
 * that it never outlives the process that started it.
 */
public final class NodeMain {
    private static final CountDownLatch READY = new CountDownLatch(1);
    private static final MessageFaults FAULTS = new MessageFaults();

    private NodeMain() {}

    public static void main(String[] arguments) {
        Thread control = new Thread(NodeMain::obey, "control");
        control.setDaemon(true);
        control.start();
        CassandraDaemon.main(arguments);
        FAULTS.install();
        say("READY");
        READY.countDown();
    }

    private static void obey() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                READY.await();
                say("OK " + obey(line.split(" ")));
            }
        } catch (IOException | InterruptedException e) {
            // Handled like the end of the input.
        } finally {
            // Skip the shutdown hooks: usually, the process that started this node has ended.
            Runtime.getRuntime().halt(1);
        }
    }

    private static Object obey(String[] words) throws IOException {
        switch (words[0]) {
            case "live" -> {
                // A node may be live before it has tokens. Until it has tokens, no keyspace can have replicas on it.
                TokenMetadata ring = StorageService.instance.getTokenMetadata();
                return Gossiper.instance.getLiveMembers().stream()
                        .filter(ring::isMember)
                        .count();
            }
            case "schema" -> {
                return Schema.instance.getVersion();
            }
            case "clock" -> NodeClock.setOffset(Long.parseLong(words[1]));
            case "cut" -> FAULTS.cutOff(Set.of(words[1].split(",")));
            case "rule" ->
                FAULTS.set(
                        words[1],
                        new MessageFaults.Rule(
                                Pattern.compile(words[2]),
                                Pattern.compile(words[3]),
                                Integer.parseInt(words[4]),
                                Integer.parseInt(words[5]),
                                Integer.parseInt(words[6])));
            case "flush" -> StorageService.instance.forceKeyspaceFlush(words[1]);
            case "heal" -> FAULTS.heal();
            default -> throw new IllegalArgumentException("unknown: " + words[0]);
        }
        return words[0];
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
