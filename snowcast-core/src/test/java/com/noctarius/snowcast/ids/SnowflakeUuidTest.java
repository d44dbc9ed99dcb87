// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the conversion of IDs to UUIDs and back. {@code -Dsnowcast.seed=…} repeats the seed of a failure. */
class SnowflakeUuidTest {
    private static final SnowcastLayout DEFAULT = SnowcastLayout.DEFAULT;
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
    private static final SnowcastEpoch EPOCH_1970 = SnowcastEpoch.byTimestamp(0);
    private static final SnowflakeId ID = SnowflakeId.of(764_750_276_312_737_799L, DEFAULT, EPOCH);
    private static final long LAST_UNIX_MILLIS = (1L << 48) - 1;

    private final long seed = Long.getLong("snowcast.seed", new Random().nextLong());
    private final Random random = new Random(seed);

    static Stream<SnowcastLayout> layouts() {
        return SnowflakeIdTest.layouts();
    }

    private SnowflakeId randomId(SnowcastLayout layout, SnowcastEpoch epoch) {
        long timestamp = random.nextLong() & layout.maxTimestamp();
        return SnowflakeId.of(
                layout.compose(
                        timestamp,
                        random.nextInt(layout.logicalNodeCount()),
                        random.nextInt(layout.idsPerMillisecond())),
                layout,
                epoch);
    }

    /**
     * Returns a random ID that has the time of {@code id}, its node ID, both or neither. The time, the node ID or the
     * counter may thus decide the order of the two IDs.
     */
    private SnowflakeId another(SnowflakeId id) {
        SnowflakeId other = randomId(id.layout(), id.epoch());
        SnowflakeId time = random.nextBoolean() ? id : other;
        SnowflakeId node = random.nextBoolean() ? id : other;
        long value =
                id.layout().compose(id.layout().timestampValue(time.value()), node.logicalNodeId(), other.counter());
        return SnowflakeId.of(value, id.layout(), id.epoch());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void idsComeBackFromUuidsOfVersion7(SnowcastLayout layout) {
        for (SnowcastEpoch epoch : List.of(EPOCH, EPOCH_1970, SnowcastEpoch.byTimestamp(LAST_UNIX_MILLIS >> 1))) {
            for (int i = 0; i < 300; i++) {
                SnowflakeId id = randomId(layout, epoch);
                UUID uuid = id.toUuid();
                assertThat(uuid.version()).isEqualTo(7);
                assertThat(uuid.variant()).isEqualTo(2);
                assertThat(uuid.getMostSignificantBits() >>> 16)
                        .isEqualTo(id.instant().toEpochMilli());
                assertThat(SnowflakeId.ofUuid(uuid, layout, epoch))
                        .as("-Dsnowcast.seed=%d: %s", seed, uuid)
                        .isEqualTo(id);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void uuidsSortAsIdsDo(SnowcastLayout layout) {
        for (int i = 0; i < 2_000; i++) {
            SnowflakeId first = randomId(layout, EPOCH);
            SnowflakeId second = another(first);
            int order = Integer.signum(first.compareTo(second));
            UUID firstUuid = first.toUuid();
            UUID secondUuid = second.toUuid();
            String description = "-Dsnowcast.seed=" + seed + ": " + firstUuid + ", " + secondUuid;

            assertThat(List.of(
                            Integer.signum(firstUuid.compareTo(secondUuid)),
                            Integer.signum(firstUuid.toString().compareTo(secondUuid.toString())),
                            Integer.signum(Arrays.compareUnsigned(bytes(firstUuid), bytes(secondUuid)))))
                    .as(description)
                    .containsOnly(order);
        }
    }

    private static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    @Test
    void timesOf48BitsHaveUuids() {
        for (long unixMillis : new long[] {0, LAST_UNIX_MILLIS}) {
            SnowflakeId id = SnowflakeId.of(42, DEFAULT, SnowcastEpoch.byTimestamp(unixMillis));
            assertThat(SnowflakeId.ofUuid(id.toUuid(), DEFAULT, id.epoch())).isEqualTo(id);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, LAST_UNIX_MILLIS + 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void otherTimesHaveNone(long unixMillis) {
        SnowflakeId id = SnowflakeId.of(DEFAULT.compose(0, 8, 15), DEFAULT, SnowcastEpoch.byTimestamp(unixMillis));
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(id::toUuid)
                .withMessage(
                        "a UUID has times from 1970-01-01T00:00:00Z to +10889-08-02T05:31:50.655Z, not that of " + id);
    }

    /** The sum of epoch and timestamp is greater than {@link Long#MAX_VALUE}. */
    @Test
    void timesBeyond64BitsHaveNone() {
        SnowflakeId id = SnowflakeId.of(-1, DEFAULT, SnowcastEpoch.byTimestamp(Long.MAX_VALUE));
        assertThatExceptionOfType(ArithmeticException.class).isThrownBy(id::toUuid);
    }

    @Test
    void refusesEveryUuidWhoseBitsOfNoMeaningAreSet() {
        long time = ID.toUuid().getMostSignificantBits();
        long parts = ID.toUuid().getLeastSignificantBits();
        for (int bit = 0; bit < 16; bit++) {
            requireRefused(new UUID(time ^ 1L << bit, parts));
            requireRefused(new UUID(time, parts ^ 1L << (48 + bit)));
        }
    }

    private static void requireRefused(UUID uuid) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeId.ofUuid(uuid, DEFAULT, EPOCH))
                .withMessage("UUID must be that of an ID, with 7000-8000 in its middle: " + uuid);
    }

    @ParameterizedTest
    @CsvSource({
        "01a1fc32-9a23-7000-8000-200000000007, 8192, 7",
        "01a1fc32-9a23-7000-8000-ffff00000007, 65535, 7",
        "01a1fc32-9a23-7000-8000-002a00000400, 42, 1024",
        "01a1fc32-9a23-7000-8000-002affffffff, 42, 4294967295"
    })
    void refusesPartsThatTheLayoutDoesNotHave(String uuid, long node, long counter) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeId.ofUuid(UUID.fromString(uuid), DEFAULT, EPOCH))
                .withMessage("UUID must have a node ID of 0 to 8191 and a counter of 0 to 1023 with " + DEFAULT
                        + ", not " + node + " and " + counter + ": " + uuid);
    }

    @Test
    void refusesTimesThatTheLayoutDoesNotHave() {
        UUID before = SnowflakeId.of(0, DEFAULT, SnowcastEpoch.byTimestamp(EPOCH.getEpochOffset() - 1))
                .toUuid();
        UUID after = new UUID(-1L << 16 | 0x7000, 0x8000L << 48);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeId.ofUuid(before, DEFAULT, EPOCH))
                .withMessage("time must not lie before the epoch 2024-01-01T00:00:00Z: 2023-12-31T23:59:59.999Z");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowflakeId.ofUuid(after, DEFAULT, EPOCH))
                .withMessageStartingWith("time must lie before 2093-09-06T15:47:35.552Z");
    }
}
