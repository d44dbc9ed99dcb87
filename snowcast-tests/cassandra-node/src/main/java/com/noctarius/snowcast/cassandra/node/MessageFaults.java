// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra.node;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;

/** Drops and delays messages between this node and other nodes. Thread-safe. */
final class MessageFaults {
    private final Map<String, Rule> rules = new ConcurrentHashMap<>();
    private volatile Set<String> cutOff = Set.of();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "message-delay");
        thread.setDaemon(true);
        return thread;
    });
    /** True while this thread sends a message whose delay is over, which must not be delayed again. */
    private final ThreadLocal<Boolean> isDelayed = ThreadLocal.withInitial(() -> false);

    /**
     * A rule that drops or delays certain messages that this node sends.
     *
     * @param verb a pattern for the kind of the messages, such as {@code PAXOS.*}
     * @param address a pattern for the receiver
     * @param dropPercent the percentage of these messages to drop
     * @param maxDelayMillis the maximum of the random delay of the messages that are not dropped
     */
    record Rule(Pattern verb, Pattern address, int dropPercent, int minDelayMillis, int maxDelayMillis) {
        boolean isFor(Message<?> message, InetAddressAndPort receiver) {
            return verb.matcher(message.verb().name()).matches()
                    && address.matcher(hostOf(receiver)).matches();
        }
    }

    void install() {
        MessagingService.instance().outboundSink.add(this::maySend);
        MessagingService.instance().inboundSink.add(message -> !cutOff.contains(hostOf(message.from())));
    }

    void cutOff(Set<String> addresses) {
        cutOff = addresses;
    }

    void set(String name, Rule rule) {
        rules.put(name, rule);
    }

    void heal() {
        cutOff = Set.of();
        rules.clear();
    }

    private boolean maySend(Message<?> message, InetAddressAndPort receiver) {
        if (cutOff.contains(hostOf(receiver))) {
            return false;
        }
        if (isDelayed.get()) {
            return true;
        }
        for (Rule rule : rules.values()) {
            if (rule.isFor(message, receiver)) {
                return maySend(message, receiver, rule);
            }
        }
        return true;
    }

    private boolean maySend(Message<?> message, InetAddressAndPort receiver, Rule rule) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (random.nextInt(100) < rule.dropPercent) {
            return false;
        }
        int delay = random.nextInt(rule.minDelayMillis, rule.maxDelayMillis + 1);
        if (delay == 0) {
            return true;
        }
        var unused = timer.schedule(() -> sendDelayed(message, receiver), delay, TimeUnit.MILLISECONDS);
        return false;
    }

    private void sendDelayed(Message<?> message, InetAddressAndPort receiver) {
        isDelayed.set(true);
        try {
            MessagingService.instance().send(message, receiver);
        } finally {
            isDelayed.set(false);
        }
    }

    private static String hostOf(InetAddressAndPort address) {
        return address.getAddress().getHostAddress();
    }
}
