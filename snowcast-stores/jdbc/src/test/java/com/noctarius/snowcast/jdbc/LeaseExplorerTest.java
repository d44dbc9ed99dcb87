// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.jdbc.LeaseSchedule.Holder;
import com.noctarius.snowcast.jdbc.LeaseSchedule.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Explores all paths of a small scenario. Two holders want one node ID, and one of them is attached. Then one holder
 * sends a request. On most paths, something happens at one statement of its transaction: the connection breaks before
 * or after the statement, or a holder sends another request. Then the database stays as it is, fails over to a former
 * state, or returns to a former state on the same server. Two more requests follow. The first of them follows after
 * half a lease, after a lease, or after all leases and waits. Between the steps, every holder uses the present
 * millisecond if its grant contains this millisecond.
 */
@Tag("faults")
class LeaseExplorerTest {
    /** Half a lease, a lease, and longer than all leases and waits. */
    private static final List<Long> PAUSES = List.of(
            LeaseSchedule.LEASE / 2, LeaseSchedule.LEASE + 1, 2 * (LeaseSchedule.LEASE + 3 * LeaseSchedule.SKEW));
    /** A request has fewer statements than this, including commits. */
    private static final int MAX_STATEMENTS = 30;

    enum Request {
        FIRST_ASKS,
        SECOND_ASKS,
        DETACH,
        DESTROY,
        LATE_RENEWAL,
        RESTART
    }

    private static final List<Request> LATER =
            List.of(Request.FIRST_ASKS, Request.SECOND_ASKS, Request.LATE_RENEWAL, Request.RESTART);

    private final LeaseSchedule.Reached reached = new LeaseSchedule.Reached();

    @ParameterizedTest
    @EnumSource(Request.class)
    void noMomentIsUsedByTwoHoldersInAnyWay(Request request) throws Exception {
        Choices choices = new Choices();
        int ways = 0;
        do {
            go(request, choices);
            ways++;
        } while (choices.next());
        System.out.println(request + ", " + ways + " ways: " + reached);
        assertThat(ways).isGreaterThan(1_000);
    }

    private void go(Request request, Choices choices) throws Exception {
        try {
            new Way(choices).go(request);
        } catch (AssertionError e) {
            throw new AssertionError(request + " " + choices + ": " + e.getMessage(), e);
        }
    }

    private final class Way {
        private final Choices choices;
        private final LeaseSchedule world;
        private final Holder first;
        private final Holder second;
        private final List<State> states = new ArrayList<>();

        Way(Choices choices) throws Exception {
            this.choices = choices;
            this.world = new LeaseSchedule(1, 1, reached);
            world.calm();
            this.first = world.holder(0);
            this.second = world.holder(1);
        }

        void go(Request request) throws Exception {
            try {
                world.pass(1);
                states.add(world.state());
                first.attach();
                world.pass(1);
                states.add(world.state());
                if (request == Request.LATE_RENEWAL) { // Release a grant, which the first holder later renews.
                    first.detach();
                    first.attach();
                }
                world.pass(choices.of(2) == 0 ? LeaseSchedule.LEASE / 2 : LeaseSchedule.LEASE + 1);
                if (!withAnEvent(asRequested(request))) {
                    choices.noMore();
                    return;
                }
                world.pass(1);
                states.add(world.state());
                replace();
                world.pass(1);
                world.pass(PAUSES.get(choices.of(PAUSES.size())));
                asRequested(LATER.get(choices.of(LATER.size()))).run();
                world.pass(1);
                (choices.of(2) == 0 ? ask(first) : ask(second)).run();
                world.pass(1);
                world.pass(LeaseSchedule.LEASE / 2);
                world.pass(LeaseSchedule.LEASE);
            } finally {
                world.close();
            }
        }

        private Runnable ask(Holder holder) {
            return holder.grant == null ? holder::attach : holder::renew;
        }

        private Runnable asRequested(Request request) {
            return switch (request) {
                case FIRST_ASKS -> ask(first);
                case SECOND_ASKS -> ask(second);
                case DETACH -> first::detach;
                case DESTROY -> first::destroy;
                case LATE_RENEWAL -> first::renewFormer;
                case RESTART -> {
                    first.abandon();
                    yield first::attach;
                }
            };
        }

        /**
         * Runs a request, without an event or with an event at a chosen statement. Returns false if the request does
         * not reach that statement.
         */
        private boolean withAnEvent(Runnable request) {
            int kind = choices.of(5);
            if (kind == 0) {
                request.run();
                return true;
            }
            LeaseSchedule.Interruption event = switch (kind) {
                case 1, 2 -> () -> world.breakConnection(kind == 1);
                case 3 -> () -> actInBetween(second);
                default -> () -> actInBetween(first);
            };
            return world.interrupt(1 + choices.of(MAX_STATEMENTS), kind != 2, event, request);
        }

        private void actInBetween(Holder holder) {
            reached.count("acted in between");
            ask(holder).run();
        }

        private void replace() throws Exception {
            int kind = choices.of(5);
            if (kind == 0) {
                return;
            }
            State state = states.get(choices.of(states.size()));
            switch (kind) {
                case 1 -> world.failOver(state, 0);
                case 2 -> world.failOver(state, LeaseSchedule.SKEW / 4);
                case 3 -> world.restoreWithMark(state);
                default -> {
                    List<Holder> knowing = world.knowing(state);
                    if (!knowing.isEmpty()) {
                        world.restore(state, knowing.get(choices.of(knowing.size())));
                    }
                }
            }
        }
    }

    /** Enumerates all paths through a program that depends on choices, one path after the other. */
    private static final class Choices {
        private final List<int[]> taken = new ArrayList<>();
        private int position;

        /** Returns the next choice of this path: 0 to {@code count - 1}. */
        int of(int count) {
            if (position == taken.size()) {
                taken.add(new int[] {0, count});
            }
            return taken.get(position++)[0];
        }

        /** Skips the greater values of the last choice. Call this if they would lead to the same result. */
        void noMore() {
            taken.subList(position, taken.size()).clear();
            int[] last = taken.get(position - 1);
            last[1] = last[0] + 1;
        }

        /** Begins the next path. Returns false if there is no other path. */
        boolean next() {
            position = 0;
            while (!taken.isEmpty()) {
                int[] last = taken.get(taken.size() - 1);
                if (++last[0] < last[1]) {
                    return true;
                }
                taken.remove(taken.size() - 1);
            }
            return false;
        }

        @Override
        public String toString() {
            return taken.stream().map(choice -> choice[0]).toList().toString();
        }
    }
}
