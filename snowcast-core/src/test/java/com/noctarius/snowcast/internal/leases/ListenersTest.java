// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.PossibleDuplicates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class ListenersTest {
    private final List<String> warnings = new ArrayList<>();
    private static final PossibleDuplicates A =
            new PossibleDuplicates("a", 1, Instant.EPOCH, Instant.EPOCH.plusMillis(1));
    private static final PossibleDuplicates B =
            new PossibleDuplicates("b", 1, Instant.EPOCH, Instant.EPOCH.plusMillis(1));
    private final Listeners listeners = new Listeners((level, message, cause) -> {
        assertThat(level).isEqualTo(Level.WARNING);
        warnings.add(message + ": " + cause);
    });

    @Test
    void listenersAreToldAlsoAfterOneThatFails() {
        List<PossibleDuplicates> heard = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            listeners.add(finding -> {
                throw new IllegalStateException("no time");
            });
        }
        listeners.add(heard::add);

        listeners.tell(List.of(A, B));

        assertThat(heard).containsExactly(A, B);
        assertThat(warnings)
                .hasSize(10)
                .allSatisfy(warning ->
                        assertThat(warning).startsWith("A listener failed: ").endsWith("no time"));
    }

    @Test
    void aListenerThatFailsIsToldOfTheOtherFindingsAndLoggedOnce() {
        List<PossibleDuplicates> heard = new ArrayList<>();
        listeners.add(finding -> {
            heard.add(finding);
            throw new NoClassDefFoundError("org/example/Mail");
        });

        listeners.tell(List.of(A, B));

        assertThat(heard).containsExactly(A, B);
        assertThat(warnings).singleElement().asString().endsWith("org/example/Mail");
    }

    @Test
    void aListenerThatWasRemovedHearsNothing() {
        UUID id = listeners.add(finding -> {
            throw new AssertionError(finding);
        });

        assertThat(listeners.remove(id)).isTrue();
        assertThat(listeners.remove(id)).isFalse();
        listeners.tell(List.of(A));

        assertThat(warnings).isEmpty();
    }
}
