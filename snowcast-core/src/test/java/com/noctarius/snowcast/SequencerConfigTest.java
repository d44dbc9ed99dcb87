// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.noctarius.snowcast.internal.owner.Definition;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequencerConfigTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(1_500_000_000_000L);

    private final SequencerConfig.Builder builder =
            SequencerConfig.builder("orders").epoch(EPOCH);

    @Test
    void defaultsAreTheDefaultLayoutARandomStartAndTheClusterSettings() {
        assertThat(builder.build())
                .isEqualTo(new SequencerConfig(
                        "orders", EPOCH, SnowcastLayout.DEFAULT, CounterStart.RANDOM, null, OptionalInt.empty(), null));
    }

    @Test
    void constructorRefusesWhatTheBuilderRefuses() {
        SequencerConfig config = builder.build();
        assertThat(with(config, null, OptionalInt.empty())).isEqualTo(config);
        assertThatIllegalArgumentException().isThrownBy(() -> with(config, Duration.ZERO, OptionalInt.empty()));
        assertThatIllegalArgumentException().isThrownBy(() -> with(config, null, OptionalInt.of(7)));
    }

    /**
     * A number above 0 that means a time before the year 2000 is probably a year, a date or a time in seconds. Spring
     * Boot and the command line refuse such a number, too. With so early an epoch, the time of the layout would usually
     * run out decades too soon, and an epoch cannot be changed.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2_024, 20_240_101, 1_704_067_200, 202_401_010_000L, 946_684_799_999L})
    void numberThatIsHardlyOneOfMillisecondsIsNoEpoch(long number) {
        builder.epoch(SnowcastEpoch.byTimestamp(number));
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("sequencer orders: epoch is given as the number " + number
                        + ", which means milliseconds since 1970 and is " + Instant.ofEpochMilli(number)
                        + "; give milliseconds, not seconds or a year, or an instant such as"
                        + " SnowcastEpoch.byInstant(Instant.parse(\"2024-01-01T00:00:00Z\"));"
                        + " an epoch before 2000 has to be an instant");
        assertThat(builder.epoch(SnowcastEpoch.byInstant(Instant.ofEpochMilli(number)))
                        .build()
                        .epoch())
                .isEqualTo(SnowcastEpoch.byTimestamp(number));
        assertThat(builder.epoch(Definition.epochOf(number)).build().epoch().getEpochOffset())
                .isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 946_684_800_000L, Long.MAX_VALUE})
    void otherNumbersAreEpochs(long number) {
        SnowcastEpoch epoch = SnowcastEpoch.byTimestamp(number);
        assertThat(builder.epoch(epoch).build().epoch()).isEqualTo(epoch).isEqualTo(Definition.epochOf(number));
    }

    private static SequencerConfig with(SequencerConfig config, @Nullable Duration lease, OptionalInt backupCount) {
        return new SequencerConfig(
                config.name(),
                config.epoch(),
                config.layout(),
                config.counterStart(),
                lease,
                backupCount,
                config.startAbove());
    }

    @Test
    void refusesAMissingEpoch() {
        assertThatNullPointerException()
                .isThrownBy(() -> SequencerConfig.builder("orders").build())
                .withMessage("sequencer orders: epoch must be set, to an instant that never changes, such as"
                        + " SnowcastEpoch.byInstant(Instant.parse(\"2024-01-01T00:00:00Z\"))");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 7})
    void refusesBackupCountsOutOfRange(int backupCount) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.backupCount(backupCount))
                .withMessage("backupCount must be 0 to 6: " + backupCount);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.999S", "PT0S", "PT-1S", "PT720H0.001S"})
    void refusesLeasesOutOfRange(Duration lease) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.lease(lease))
                .withMessage("lease must be PT1S to PT720H: " + lease);
    }
}
