// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import static com.noctarius.snowcast.peers.Histories.call;
import static com.noctarius.snowcast.peers.Histories.fault;
import static com.noctarius.snowcast.peers.Histories.nanos;
import static com.noctarius.snowcast.peers.Histories.process;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.peers.Findings.OfFault;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FindingsTest {
    private static final Offset<Double> ROUNDING = Offset.offset(1e-6);

    @Test
    void anIdOfTwoProcessesIsFoundAndSaidByWhom() {
        Findings found = Findings.of(Histories.of(
                List.of(fault(Fault.PAUSE, 0.5, 0.7)), process("host-0", 1, 1, 2), process("host-1", 2, 2, 3)));
        assertThat(found.duplicates()).isEqualTo(1);
        assertThat(found.examples())
                .containsExactly(
                        "2 to host-0 at 1.500 s and to host-1 at 2.000 s," + " paused for longer than a lease: host-0");
    }

    @Test
    void anIdThatOneProcessHasTwiceIsFound() {
        Findings found = Findings.of(Histories.of(List.of(), process("host-0", 1, 5, 6, 5)));
        assertThat(found.duplicates()).isEqualTo(1);
        assertThat(found.disorder()).isEqualTo(1);
    }

    @Test
    void uuidsThatShareHalfOfTheirBitsAreDistinct() {
        History.Caller process = new History.Caller(
                "host-0",
                0,
                false,
                nanos(2),
                List.of(call(1, Id.of(new UUID(1, 5))), call(1.5, Id.of(new UUID(2, 5))), call(2, Id.of(5))));
        assertThat(Findings.of(Histories.of(List.of(), process)).duplicates()).isZero();
    }

    @Test
    void idsAreComparedUnsigned() {
        assertThat(Findings.of(Histories.of(List.of(), process("host-0", 1, Long.MAX_VALUE, Long.MIN_VALUE, -1)))
                        .disorder())
                .isZero();
    }

    @Test
    void crowdsAreComparedWithCrowds() {
        History history = Histories.of(
                List.of(),
                process("host-0", 1, 7),
                process("crowd-0", true, 1, 7, 8),
                process("crowd-1", true, 1, 8, 9));
        assertThat(Findings.of(history).duplicates()).isEqualTo(1);
    }

    /** The checker first reads the process that got the ID last. */
    @Test
    void aDuplicateCountsForTheFaultThatWasLastToBeginBefore() {
        Findings found = Findings.of(Histories.of(
                List.of(fault(Fault.KILL, 10, 11), fault(Fault.TWIN, 20, 21), fault(Fault.PAUSE, 30, 31)),
                process("host-0", 25, 7),
                process("host-1", 12, 7)));
        assertThat(found.byFault().get(Fault.KILL)).isEqualTo(new OfFault(1, 0, null));
        assertThat(found.byFault().get(Fault.TWIN)).isEqualTo(new OfFault(1, 1, null));
        assertThat(found.byFault().get(Fault.PAUSE)).isEqualTo(new OfFault(1, 0, null));
    }

    @Test
    void theLastProcessCountsForTheTimeAfterAFault() {
        Findings found = Findings.of(Histories.of(
                List.of(fault(Fault.KILL, 1, 2, 0, 1), fault(Fault.KILL, 4, 5, 1)),
                process("host-0", 2.5, 1, 2),
                process("host-1", 5.25, 3, 4)));
        OfFault kills = Objects.requireNonNull(found.byFault().get(Fault.KILL));
        assertThat(kills.times()).isEqualTo(2);
        assertThat(kills.secondsToFirstId()).isCloseTo(3.25, ROUNDING);
    }

    @Test
    void refusalsAndSilenceAreCounted() {
        History.Caller process = new History.Caller(
                "host-0",
                0,
                false,
                nanos(10),
                List.of(
                        call(1, Id.of(1)),
                        new Call(nanos(1.1), nanos(1.2), null),
                        call(4, Id.of(2)),
                        call(4.5, Id.of(3))));
        Findings found = Findings.of(Histories.of(List.of(), process));
        assertThat(found.ids()).isEqualTo(3);
        assertThat(found.refused()).isEqualTo(1);
        assertThat(found.silentSeconds()).isCloseTo(3 + 5.5, ROUNDING);
    }
}
