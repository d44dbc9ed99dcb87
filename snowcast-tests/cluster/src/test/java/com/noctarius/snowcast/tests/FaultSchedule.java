// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.tests.FaultStep.Kind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The random steps of a schedule. They depend on the seed alone, not on the speed of the machine. */
final class FaultSchedule {
    private static final int MAX_CLIENTS = 3;
    private static final long TWO_DAYS_MILLIS = 172_800_000;

    private final Random random;
    private final FaultProfile profile;
    private int members;
    private int clients;

    private FaultSchedule(long seed) {
        this.random = new Random(seed);
        this.profile = FaultProfile.of(seed);
        this.members = firstMembers(profile);
    }

    static int firstMembers(FaultProfile profile) {
        return profile.minMembers() + 1;
    }

    static List<FaultStep> steps(long seed, int count) {
        FaultSchedule schedule = new FaultSchedule(seed);
        return Stream.generate(schedule::next).limit(count).toList();
    }

    /** Returns whether the first {@code count} steps of a seed contain all faults of {@link FaultProfile#reasons}. */
    static boolean hasReasons(long seed, int count) {
        Set<Kind> kinds = steps(seed, count).stream().map(FaultStep::kind).collect(Collectors.toSet());
        return kinds.containsAll(FaultProfile.of(seed).reasons());
    }

    private FaultStep next() {
        Kind kind = nextKind();
        int name = random.nextInt(FaultProfile.SEQUENCERS);
        switch (kind) {
            case JOIN -> members++;
            case LEAVE, CRASH -> members--;
            case CRASH_TWO -> members -= 2;
            case LOSE_TABLE -> members -= 1 + profile.backupCount(name);
            case JOIN_CLIENT -> clients++;
            case LEAVE_CLIENT, LOSE_CLIENT -> clients--;
            default -> {}
        }
        long amount = switch (kind) {
            case CUT -> 200 + random.nextInt(3_500);
            case SPLIT -> random.nextInt(profile == FaultProfile.SPLITS ? 20_000 : 2_000);
            case RESTART -> random.nextInt(2);
            case SET_CLOCK -> clockOffset();
            case SET_CLUSTER_CLOCK -> random.nextInt(1_000) - 500;
            case RECREATE -> random.nextInt(SharedSequencer.LAYOUTS.size());
            case DETACH_AND_ATTACH -> 1 + random.nextInt(6);
            default -> 0;
        };
        return new FaultStep(kind, random.nextInt(1_000), name, amount);
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
            case JOIN -> members < FaultProfile.MAX_MEMBERS;
            case LEAVE, CRASH -> members > profile.minMembers();
            case CRASH_TWO, LOSE_TABLE -> members > profile.minMembers() + 1;
            case JOIN_CLIENT -> clients < MAX_CLIENTS;
            case LEAVE_CLIENT, LOSE_CLIENT -> clients > 0;
            default -> true;
        };
    }

    /**
     * Returns an offset in milliseconds. Half of the offsets are within half a second, the others are up to 5 minutes
     * or 2 days behind or ahead.
     */
    private long clockOffset() {
        return switch (random.nextInt(8)) {
            case 0 -> -random.nextInt(300_000);
            case 1 -> random.nextInt(300_000);
            case 2 -> -random.nextLong(TWO_DAYS_MILLIS);
            case 3 -> random.nextLong(TWO_DAYS_MILLIS);
            case 4 -> 0;
            default -> random.nextInt(1_000) - 500;
        };
    }
}
