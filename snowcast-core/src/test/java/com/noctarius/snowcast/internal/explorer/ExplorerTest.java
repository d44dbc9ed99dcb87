// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.explorer.Scope.Faults;
import com.noctarius.snowcast.internal.explorer.Scope.SplitRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No ID is issued twice in any state of these scopes; each rule that is left out makes one come twice. */
class ExplorerTest {
    private static final SplitRule NO_SPLIT = new SplitRule(false, 0, 0, 0);

    @Test
    void messages() {
        Scope scope = new Scope(1, 2, 2, 1, 2, 0, new Faults(2, 1, 0, 0, 0, 0), NO_SPLIT);
        assertThat(explore(scope, Mutation.NONE).duplicate()).isNull();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aRuleThatIsLeftOutMakesAnIdComeTwice(Mutation mutation) {
        Scope scope = switch (mutation) {
            case ANSWER_BEFORE_BACKUP, KNOWN_REQUEST_NOT_BACKED_UP ->
                new Scope(1, 1, 2, 1, 2, 0, new Faults(2, 0, 1, 0, 0, 0), NO_SPLIT);
            case EPOCH_NOT_CHECKED, FREE_ADOPTION, LOSS_NOT_NOTICED ->
                new Scope(1, 2, 1, 0, 2, 0, new Faults(2, 0, 0, 1, 0, 0), NO_SPLIT);
            default -> new Scope(1, 2, 2, 1, 2, 0, new Faults(2, 0, 0, 0, 0, 0), NO_SPLIT);
        };
        assertThat(explore(scope, mutation).duplicate()).isNotNull();
    }

    private static Explorer.Result explore(Scope scope, Mutation mutation) {
        Explorer.Result result = new Explorer(new Model(scope, mutation)).explore();
        System.out.println(mutation + ": " + result.states() + " states, " + result.transitions() + " transitions");
        result.trace().forEach(step -> System.out.println("  " + step));
        return result;
    }
}
