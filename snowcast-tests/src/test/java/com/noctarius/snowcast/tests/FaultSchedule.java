// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.tests.FaultStep.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** The steps that a seed stands for. They follow from it alone, not from how fast anything is. */
final class FaultSchedule {
    static final int SEQUENCERS = 2;
    private static final int MAX_CLIENTS = 3;

    private final Random random;
    private final FaultProfile profile;
    private final List<Integer> members = new ArrayList<>();
    private final List<Integer> clients = new ArrayList<>();
    private int joined;

    private FaultSchedule(long seed) {
        this.random = new Random(seed);
        this.profile = FaultProfile.of(seed);
        for (int i = 0; i < firstMembers(profile); i++) {
            members.add(joined++);
        }
    }

    /** Returns how many members begin: numbers from 0 on. */
    static int firstMembers(FaultProfile profile) {
        return profile.minMembers() + 1;
    }

    /** Returns the first steps of a seed. */
    static List<FaultStep> steps(long seed, int count) {
        FaultSchedule schedule = new FaultSchedule(seed);
        return Stream.generate(schedule::next).limit(count).toList();
    }

    private FaultStep next() {
        Kind kind = nextKind();
        int who = switch (kind) {
            case JOIN -> added(members);
            case JOIN_CLIENT -> added(clients);
            case LEAVE, CRASH, CRASH_TWO -> removed(members);
            case LEAVE_CLIENT, LOSE_CLIENT -> removed(clients);
            case SPLIT -> members.get(random.nextInt(members.size()));
            case SET_CLUSTER_CLOCK, REST -> 0;
            case CUT, SET_CLOCK, DETACH_AND_ATTACH, RECREATE -> anyone();
        };
        long amount = switch (kind) {
            case CRASH_TWO -> removed(members);
            case CUT -> 200 + random.nextInt(3_500);
            case SPLIT -> random.nextInt(20_000);
            case SET_CLOCK -> clockOffset();
            case SET_CLUSTER_CLOCK -> random.nextInt(1_000) - 500;
            case RECREATE -> random.nextInt(SharedSequencer.LAYOUTS.size());
            default -> 0;
        };
        return new FaultStep(kind, who, random.nextInt(SEQUENCERS), amount);
    }

    private Kind nextKind() {
        Map<Kind, Integer> weights = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            weights.put(kind, isPossible(kind) ? profile.weight(kind) : 0);
        }
        int left = random.nextInt(
                weights.values().stream().mapToInt(weight -> weight).sum());
        for (Map.Entry<Kind, Integer> entry : weights.entrySet()) {
            left -= entry.getValue();
            if (left < 0) {
                return entry.getKey();
            }
        }
        throw new AssertionError("the weights sum up to less than their sum");
    }

    private boolean isPossible(Kind kind) {
        return switch (kind) {
            case JOIN -> members.size() < FaultProfile.MAX_MEMBERS;
            case LEAVE, CRASH -> members.size() > profile.minMembers();
            case CRASH_TWO -> members.size() > profile.minMembers() + 1;
            case JOIN_CLIENT -> clients.size() < MAX_CLIENTS;
            case LEAVE_CLIENT, LOSE_CLIENT -> !clients.isEmpty();
            default -> true;
        };
    }

    private int added(List<Integer> to) {
        to.add(joined);
        return joined++;
    }

    private int removed(List<Integer> from) {
        return from.remove(random.nextInt(from.size()));
    }

    private int anyone() {
        int index = random.nextInt(members.size() + clients.size());
        return index < members.size() ? members.get(index) : clients.get(index - members.size());
    }

    /** Mostly within what is allowed; also minutes back, and beyond what is allowed. */
    private long clockOffset() {
        return switch (random.nextInt(6)) {
            case 0 -> -random.nextInt(300_000);
            case 1 -> random.nextInt(300_000);
            case 2 -> 0;
            default -> random.nextInt(1_000) - 500;
        };
    }
}
