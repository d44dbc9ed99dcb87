// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.explorer.Scope.Faults;
import com.noctarius.snowcast.internal.owner.TableState;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Explores every reachable state of some small scopes. With all rules of the protocol, no ID is issued twice, except in
 * a split without split-brain protection, whose duplicates a merge reports. If one rule is left out, some scope issues
 * an ID twice, and the test prints a shortest path to the duplicate. {@link Model} describes the states and steps.
 */
@Tag("faults")
class ExplorerTest {
    private enum Covered {
        /** Late and lost messages, with three grants of one node ID. */
        MESSAGES,
        /** Late and lost messages, and a message that arrives twice. */
        DUPLICATES,
        /** Two node IDs. If both were granted before, the owner grants the one whose next grant may begin earliest. */
        TWO_NODE_IDS,
        /** The owner or its backup crashes. */
        CRASH,
        /** Two members crash one after the other, with or without a new member in between. */
        TWO_CRASHES,
        /** All replicas are lost. */
        LOSS,
        /** All replicas are lost; with two node IDs and leases of two ticks, the new table takes over lost grants. */
        LOSS_TAKEN_OVER,
        /** The owner is paused and removed, the other members crash, and the former owner continues. */
        RETURN,
        /** Like {@link #RETURN}, but the other members take the removal of the owner for a loss of all replicas. */
        RETURN_AFTER_LOSS,
        /** All replicas are lost, and a clock steps. */
        LOSS_AND_CLOCK,
        /** Like {@link #LOSS_AND_CLOCK}, but the sequencer must also not repeat the IDs of a former generator. */
        SUCCESSOR,
        /** A clock steps, and messages arrive out of order. */
        CLOCK,
        /** Clocks step twice. */
        CLOCKS,
        /**
         * Two backups, of which only one may have received a change. One backup becomes the owner, and later the other.
         */
        TWO_BACKUPS,
        /** The network splits, and the sides merge: the merge reports all duplicates, and then no ID is repeated. */
        MERGE,
        /** Like {@link #MERGE}, but the former owner gives no answer without its backup: there are no duplicates. */
        MERGE_NEVER_ALONE,
        /** The network splits, a clock steps, and the side without a quorum gives no answer. */
        SPLIT_NEVER_ALONE,
        /** Late and lost messages, while the holders read a cached time whose ticks may be late. */
        TICKED,
        TICKED_LOSS_AND_CLOCK,
        TICKED_SPLIT,
        /** Node leases: late and lost messages, while a guard checks the IDs of another generator. */
        GUARDED,
        GUARDED_CRASH,
        GUARDED_LOSS_AND_CLOCK,
        GUARDED_CLOCKS;

        Scope scope() {
            return switch (this) {
                case MESSAGES -> new Scope(1, 3, 2, 0, 2, 0, faults(3, 0, 0, 0, 0, 0), false);
                case DUPLICATES -> new Scope(1, 3, 2, 0, 2, 0, faults(2, 1, 0, 0, 0, 0), false);
                case TWO_NODE_IDS -> new Scope(2, 2, 2, 0, 1, 0, faults(3, 0, 0, 0, 0, 0), false);
                case CRASH -> new Scope(1, 2, 2, 0, 2, 0, faults(2, 0, 1, 0, 0, 0), false);
                case TWO_CRASHES -> new Scope(1, 1, 2, 0, 2, 0, faults(2, 0, 2, 0, 0, 0), false);
                case LOSS -> new Scope(1, 3, 1, 0, 2, 0, faults(2, 0, 0, 1, 0, 0), false);
                case LOSS_TAKEN_OVER -> new Scope(2, 2, 2, 0, 2, 0, faults(2, 0, 0, 1, 0, 0), false);
                case RETURN -> new Scope(1, 2, 1, 0, 1, 0, faults(2, 0, 2, 0, 0, 0), false);
                case RETURN_AFTER_LOSS -> new Scope(1, 3, 1, 0, 1, 0, faults(2, 0, 1, 1, 0, 0), false);
                case LOSS_AND_CLOCK -> new Scope(1, 3, 1, 1, 1, 1, faults(2, 0, 0, 1, 1, 0), false);
                case SUCCESSOR -> LOSS_AND_CLOCK.scope().successor();
                case CLOCK -> new Scope(1, 2, 2, 1, 2, 1, faults(2, 0, 0, 0, 1, 0), false);
                case CLOCKS -> new Scope(1, 2, 2, 1, 1, 1, faults(2, 0, 0, 0, 2, 0), false);
                case TWO_BACKUPS -> new Scope(1, 1, 1, 0, 1, 0, faults(2, 0, 2, 0, 0, 0), false).twoBackups();
                case MERGE -> new Scope(1, 1, 1, 0, 1, 0, new Faults(2, 0, 0, 0, 0, 1, 1), false);
                case MERGE_NEVER_ALONE -> new Scope(1, 1, 1, 0, 1, 0, new Faults(2, 0, 0, 0, 0, 1, 1), true);
                case SPLIT_NEVER_ALONE -> new Scope(1, 1, 1, 1, 1, 1, faults(2, 0, 0, 0, 1, 1), true);
                case TICKED -> MESSAGES.scope().ticked();
                case TICKED_LOSS_AND_CLOCK -> LOSS_AND_CLOCK.scope().ticked();
                case TICKED_SPLIT -> SPLIT_NEVER_ALONE.scope().ticked();
                case GUARDED -> MESSAGES.scope().guarded();
                case GUARDED_CRASH -> CRASH.scope().guarded();
                case GUARDED_LOSS_AND_CLOCK -> LOSS_AND_CLOCK.scope().guarded();
                case GUARDED_CLOCKS -> CLOCKS.scope().guarded();
            };
        }

        /**
         * Returns the rare states of the table that this scope must reach; a search that misses them would not test
         * their rules.
         */
        Set<TableState> tableStates() {
            return switch (this) {
                case MESSAGES, TICKED, GUARDED ->
                    Set.of(
                            TableState.ANSWERED_AGAIN,
                            TableState.LATE_REQUEST,
                            TableState.FORMER_GRANT_RELEASED,
                            TableState.ENDED_LEASE_GRANTED,
                            TableState.GIVEN_BACK_GRANTED,
                            TableState.RENEWAL_OF_OTHERS_NODE,
                            TableState.RENEWAL_OF_FORMER_GRANT,
                            TableState.RENEWAL_AFTER_DETACH,
                            TableState.DETACH_OF_FORMER_GRANT);
                case DUPLICATES ->
                    Set.of(
                            TableState.ANSWERED_AGAIN,
                            TableState.LATE_REQUEST,
                            TableState.RENEWAL_AFTER_DETACH,
                            TableState.DETACH_OF_FORMER_GRANT);
                case TWO_NODE_IDS ->
                    Set.of(
                            TableState.FORMER_GRANT_RELEASED,
                            TableState.FORMER_GRANT_KEPT,
                            TableState.GIVEN_BACK_GRANTED,
                            TableState.ALL_IN_USE);
                case CRASH, GUARDED_CRASH -> Set.of(TableState.ANSWERED_AGAIN, TableState.FORMER_GRANT_RELEASED);
                case TWO_CRASHES -> Set.of(TableState.ANSWERED_AGAIN, TableState.PROMOTED_BEHIND_CHANGES);
                case LOSS, RETURN, RETURN_AFTER_LOSS ->
                    Set.of(
                            TableState.ATTACH_WHILE_RECOVERING,
                            TableState.GRANTED_FROM_RECOVERY_TIME,
                            TableState.LOST_LIFE_GOES_ON,
                            TableState.RENEWAL_NOT_OF_LOST_TABLE);
                case LOSS_TAKEN_OVER ->
                    Set.of(
                            TableState.RENEWAL_NOT_OF_LOST_TABLE,
                            TableState.TAKEN_OVER_AFTER_LOSS,
                            TableState.TAKEN_OVER_WITH_LIFE);
                case LOSS_AND_CLOCK, TICKED_LOSS_AND_CLOCK, GUARDED_LOSS_AND_CLOCK ->
                    Set.of(
                            TableState.ATTACH_WHILE_RECOVERING,
                            TableState.GRANTED_FROM_RECOVERY_TIME,
                            TableState.RENEWAL_NOT_OF_LOST_TABLE,
                            TableState.RENEWAL_BEHIND_CLUSTER);
                case SUCCESSOR -> Set.of(TableState.FLOOR_AHEAD_OF_CLOCKS, TableState.GRANTED_FROM_RECOVERY_TIME);
                case CLOCK -> Set.of(TableState.ATTACH_BEHIND_CLUSTER, TableState.LATE_REQUEST);
                case CLOCKS, GUARDED_CLOCKS ->
                    Set.of(
                            TableState.ATTACH_AHEAD_OF_CLUSTER,
                            TableState.ATTACH_BEHIND_CLUSTER,
                            TableState.RENEWAL_AHEAD_OF_CLUSTER,
                            TableState.RENEWAL_BEHIND_CLUSTER);
                case TWO_BACKUPS ->
                    Set.of(
                            TableState.CHANGE_OF_OTHER_EPOCH,
                            TableState.COPY_OF_NEW_EPOCH,
                            TableState.PROMOTED_BEHIND_CHANGES);
                case SPLIT_NEVER_ALONE, TICKED_SPLIT -> Set.of(TableState.RENEWAL_OF_OTHERS_NODE);
                case MERGE ->
                    Set.of(
                            TableState.MERGED_UNKNOWN_THERE,
                            TableState.MERGED_ADOPTED,
                            TableState.MERGED_UNCHANGED,
                            TableState.MERGED_ONE_GRANT,
                            TableState.MERGED_ONE_GRANT_GIVEN_BACK,
                            TableState.MERGED_ONE_HOLDER_MINE_NEWER,
                            TableState.MERGED_ONE_HOLDER_THEIRS_NEWER,
                            TableState.MERGED_TWO_HOLDERS_MINE,
                            TableState.MERGED_TWO_HOLDERS_THEIRS);
                case MERGE_NEVER_ALONE ->
                    Set.of(
                            TableState.MERGED_ONE_GRANT,
                            TableState.MERGED_ONE_HOLDER_MINE_NEWER,
                            TableState.MERGED_ONE_HOLDER_THEIRS_NEWER,
                            TableState.MERGED_TWO_HOLDERS_MINE,
                            TableState.MERGED_TWO_HOLDERS_THEIRS);
            };
        }

        Set<ModelState> modelStates() {
            return switch (this) {
                case CRASH, GUARDED_CRASH -> Set.of(ModelState.CHANGE_LOST_WITH_OWNER);
                case TWO_CRASHES, RETURN, RETURN_AFTER_LOSS ->
                    Set.of(ModelState.CHANGE_LOST_WITH_OWNER, ModelState.FORMER_OWNER_GOES_ON);
                case TWO_BACKUPS -> Set.of(ModelState.CHANGE_LOST_WITH_OWNER, ModelState.OWNER_BEHIND_BACKUP);
                case MERGE_NEVER_ALONE, SPLIT_NEVER_ALONE, TICKED_SPLIT -> Set.of(ModelState.FORMER_SIDE_STOPPED);
                default -> Set.of();
            };
        }
    }

    private static Faults faults(int attaches, int duplicates, int crashes, int losses, int clockSteps, int splits) {
        return new Faults(attaches, duplicates, crashes, losses, clockSteps, splits, 0);
    }

    @ParameterizedTest
    @EnumSource
    void noIdIsIssuedTwice(Covered covered) {
        Scope scope = covered.scope();
        Model model = new Model(scope, Mutation.NONE);
        Explorer.Result result = explore(covered.toString(), model);
        assertThat(result.duplicate()).isNull();
        assertThat(result.reported() > 0).isEqualTo(scope.faults().splits() > 0 && !scope.isProtected());
        model.tableStates.require(covered.tableStates());
        model.modelStates.require(covered.modelStates());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aRuleThatIsLeftOutMakesAnIdComeTwice(Mutation mutation) {
        Scope scope = switch (mutation) {
            case ANSWER_BEFORE_BACKUP, KNOWN_REQUEST_NOT_BACKED_UP -> Covered.CRASH.scope();
            case EPOCH_NOT_CHECKED, FREE_ADOPTION, LOSS_NOT_NOTICED -> Covered.LOSS.scope();
            case FORMER_OWNER_ACTS, FORMER_OWNER_KEEPS_DATA -> Covered.RETURN.scope();
            case CHANGES_NOT_ABOVE -> Covered.TWO_BACKUPS.scope();
            case COPY_REPLACED -> Covered.CRASH.scope();
            case MERGE_SKIPPED, MERGED_TOKEN_KEPT, MERGED_FLOOR_FORGOTTEN -> Covered.MERGE.scope();
            case FLOOR_IGNORED -> Covered.CLOCK.scope();
            case FORMER_USE_FORGOTTEN -> Covered.TWO_NODE_IDS.scope();
            default -> Covered.MESSAGES.scope();
        };
        assertThat(explore(mutation.toString(), scope, mutation).duplicate()).isNotNull();
    }

    @Test
    void aFloorThatAGuardIgnoresMakesAnIdComeTwice() {
        assertThat(explore("FLOOR_IGNORED, of a guard", Covered.CLOCK.scope().guarded(), Mutation.FLOOR_IGNORED)
                        .duplicate())
                .isNotNull();
    }

    @Test
    void aFormerOwnerThatActsAfterALossMakesAnIdComeTwice() {
        Scope scope = Covered.RETURN_AFTER_LOSS.scope();
        assertThat(explore("FORMER_OWNER_ACTS, after a loss", scope, Mutation.FORMER_OWNER_ACTS)
                        .duplicate())
                .isNotNull();
    }

    private static Explorer.Result explore(String what, Scope scope, Mutation mutation) {
        return explore(what, new Model(scope, mutation));
    }

    private static Explorer.Result explore(String what, Model model) {
        long start = System.nanoTime();
        Explorer.Result result = new Explorer(model).explore();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        System.out.printf(
                "%s: %,d states, %,d transitions, %,d ms%n", what, result.states(), result.transitions(), millis);
        if (result.duplicate() != null) {
            System.out.printf("  %s is issued twice, after %d steps:%n", result.duplicate(), result.depth());
            result.trace().forEach(step -> System.out.println("    " + step));
        }
        return result;
    }
}
