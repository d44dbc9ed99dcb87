// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.NotReady;
import com.noctarius.snowcast.test.TestSequencer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when a sequencer or an integer sequence makes the health DOWN. */
class SnowcastHealthTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Attached  | 7  | 300 | 300 | ''             | ''
            Attached  | 7  | 300 | 75  | no answer      | ''
            Attached  | 7  | 300 | 74  | ''             | ''
            Attached  | 7  | 300 | 74  | no answer      | less than a quarter of its lease remains, PT1M14S: no answer
            Attached  | 7  | 300 | 0   | no answer      | its lease has expired: no answer
            Attached  | 7  | 300 | 0   | ''             | its lease has expired
            Attached  |    | 0   | 0   | no node free   | it attaches to another node ID: no node free
            Detached  |    | 0   | 0   | it was detached | Detached: it was detached
            Destroyed |    | 0   | 0   | it was destroyed | Destroyed: it was destroyed
            """)
    void reasonSaysWhatIsWrong(
            SnowcastSequenceState state,
            @Nullable Integer node,
            long lease,
            long remaining,
            String problem,
            String reason) {
        SnowcastSequencer.Stats stats = new SnowcastSequencer.Stats(
                state,
                node == null ? OptionalInt.empty() : OptionalInt.of(node),
                Duration.ofSeconds(lease),
                Duration.ofSeconds(remaining),
                problem,
                0,
                0,
                Duration.ZERO,
                0,
                0,
                0,
                Duration.ofMillis(Long.MAX_VALUE),
                Optional.empty());
        assertThat(NotReady.reason(stats)).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0   | 1000 | ''        | ''
            100 | 1000 | ''        | ''
            600 | 1000 | no answer | ''
            251 | 1000 | no answer | ''
            250 | 1000 | no answer | at most a quarter of a block remains, 250: no answer
            1   | 1    | no answer | ''
            0   | 1    | no answer | no answer
            0   | 1000 | it was closed | it was closed
            0   | 1000 | used up   | ''
            """)
    void reasonSaysWhatIsWrongWithAnIntegerSequence(long remaining, long blockSize, String problem, String reason) {
        IntegerSequence.Stats stats = new IntegerSequence.Stats(
                0, remaining, Duration.ZERO, blockSize, 1, 0, 0, Duration.ZERO, problem, problem.equals("used up"));
        assertThat(NotReady.reason(stats)).isEqualTo(reason);
    }

    @Test
    void aSequencerWhoseLayoutHasNoTimeLeftIsNotDown() {
        SnowcastLayout layout = new SnowcastLayout(30, 13, 10);
        TestSequencer ended = TestSequencer.of(SequencerConfig.builder("ended")
                .epoch(SnowcastEpoch.byInstant(TestSequencer.START))
                .layout(layout)
                .build());
        Instant end = TestSequencer.START.plusMillis(layout.maxTimestamp() + 1);
        ended.setTime(end);

        SnowcastHealth health =
                SnowcastHealth.of(new KnownSequencers(Map.of(), () -> List.of(ended), Map::of), Stream.empty(), null);
        assertThat(health.isUp()).isTrue();
        assertThat(health.details().toString()).contains("exhausted=the time of " + layout + " is used up");
    }
}
