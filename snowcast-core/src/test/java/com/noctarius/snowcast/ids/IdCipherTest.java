// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdCipherTest {
    private static final long ID = 764_750_276_312_737_799L;
    private static final long[] EDGES = {
        0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0xFFFF_FFFFL, 0xFFFF_FFFF_0000_0000L, ID
    };

    private final long seed = Long.getLong("snowcast.seed", new Random().nextLong());
    private final Random random = new Random(seed);

    private static byte[] key(int length) {
        byte[] key = new byte[length];
        for (int i = 0; i < length; i++) {
            key[i] = (byte) (i + 1);
        }
        return key;
    }

    private byte[] randomKey() {
        byte[] key = new byte[16 + 8 * random.nextInt(3)];
        random.nextBytes(key);
        return key;
    }

    private static IdCipher cipher(String purpose, byte[] key) {
        return new IdCipher(purpose, Map.of(1, key), 1);
    }

    /** Another program has computed these values. They must never change, because users publish encrypted IDs. */
    @ParameterizedTest
    @CsvSource({
        "16, orders, 0, 833BE0267352368E",
        "16, orders, 1, EF7028CA75F5C3D3",
        "16, orders, -9223372036854775808, 1B949AF693DBDB3D",
        "16, orders, -1, F203AC6880C079D6",
        "24, orders, 0, 25F3AF7C1D4443A2",
        "24, orders, 1, 5A8BBAAA6D061276",
        "24, orders, -9223372036854775808, D4866EC54965D3C6",
        "24, orders, -1, C87BA2165294239A",
        "32, orders, 0, F6977FE25E0C3D2E",
        "32, orders, 1, A88755C29DBF6FCD",
        "32, orders, -9223372036854775808, 799CE7541E2CFFB5",
        "32, orders, -1, 1C89557F9E96496B",
        "32, Rechnungen f\u00fcr Z\u00fcge, 0, 03F375957ADD02EF",
        "32, Rechnungen f\u00fcr Z\u00fcge, -1, DC14784E6788D363"
    })
    void encryptsAsItAlwaysDid(int keyBytes, String purpose, long id, String encrypted) {
        IdCipher cipher = cipher(purpose, key(keyBytes));
        PublicId publicId = new PublicId(1, Long.parseUnsignedLong(encrypted, 16));

        assertThat(cipher.encrypt(id)).isEqualTo(publicId);
        assertThat(cipher.decrypt(publicId)).isEqualTo(id);
    }

    @Test
    void eachIdHasOnePublicIdAndEachNumberIsThatOfAnId() {
        IdCipher cipher = cipher("orders", randomKey());
        LongStream.concat(LongStream.of(EDGES), random.longs(5_000)).forEach(number -> {
            assertThat(cipher.decrypt(cipher.encrypt(number)))
                    .as("-Dsnowcast.seed=%d", seed)
                    .isEqualTo(number);
            PublicId made = new PublicId(1, number);
            assertThat(cipher.encrypt(cipher.decrypt(made)))
                    .as("-Dsnowcast.seed=%d", seed)
                    .isEqualTo(made);
        });
    }

    @Test
    void publicIdsOfConsecutiveIdsTellNothing() {
        int ids = 40_000;
        IdCipher cipher = cipher("orders", key(32));
        int[] set = new int[Long.SIZE];
        int[] turned = new int[Long.SIZE];
        int ascents = 0;
        for (int i = 0; i < ids; i++) {
            long encrypted = cipher.encrypt(ID + i).value();
            long next = cipher.encrypt(ID + i + 1).value();
            countBits(encrypted, set);
            countBits(encrypted ^ next, turned);
            ascents += Long.compareUnsigned(encrypted, next) < 0 ? 1 : 0;
        }
        // The standard deviation of each bit's count is 100, and that of the number of ascents in a random order is 58.
        assertThat(Arrays.stream(set).boxed()).allSatisfy(n -> assertThat(n).isCloseTo(ids / 2, within(600)));
        assertThat(Arrays.stream(turned).boxed()).allSatisfy(n -> assertThat(n).isCloseTo(ids / 2, within(600)));
        assertThat(ascents).isCloseTo(ids / 2, within(350));
    }

    private static void countBits(long number, int[] counts) {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            counts[bit] += (int) (number >>> bit) & 1;
        }
    }

    @Test
    void currentKeyEncryptsAndFormerKeysStillDecrypt() {
        IdCipher before = new IdCipher("orders", Map.of(0, key(16)), 0);
        IdCipher between = new IdCipher("orders", Map.of(0, key(16), 7, key(32)), 0);
        IdCipher after = new IdCipher("orders", Map.of(0, key(16), 7, key(32)), 7);

        assertThat(between.encrypt(ID)).isEqualTo(before.encrypt(ID));
        assertThat(after.encrypt(ID).keyNumber()).isEqualTo(7);
        assertThat(after.encrypt(ID).value()).isNotEqualTo(before.encrypt(ID).value());
        for (PublicId publicId : List.of(before.encrypt(ID), after.encrypt(ID))) {
            assertThat(between.decrypt(publicId)).isEqualTo(ID);
            assertThat(after.decrypt(publicId)).isEqualTo(ID);
        }
    }

    @Test
    void manyThreadsGetWhatOneGets() throws Exception {
        int threads = 8 * Runtime.getRuntime().availableProcessors();
        int ids = 2_000;
        IdCipher cipher = cipher("orders", key(32));
        long[] expected = new long[ids];
        for (int i = 0; i < ids; i++) {
            expected[i] = cipher.encrypt(ID + i).value();
        }
        CountDownLatch start = new CountDownLatch(threads);
        Callable<Long> task = () -> {
            start.countDown();
            start.await();
            long wrong = 0;
            for (int i = 0; i < ids; i++) {
                PublicId publicId = cipher.encrypt(ID + i);
                wrong += publicId.value() != expected[i] || cipher.decrypt(publicId) != ID + i ? 1 : 0;
            }
            return wrong;
        };
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Long>> wrong = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                wrong.add(executor.submit(task));
            }
            for (Future<Long> future : wrong) {
                assertThat(future.get(3, TimeUnit.MINUTES)).isZero();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void laterChangesOfTheCallersKeysDoNotMatter() {
        byte[] key = key(32);
        Map<Integer, byte[]> keys = new HashMap<>(Map.of(1, key));
        IdCipher cipher = new IdCipher("orders", keys, 1);
        PublicId before = cipher.encrypt(ID);
        Arrays.fill(key, (byte) 0);
        keys.clear();

        assertThat(cipher.encrypt(ID)).isEqualTo(before);
        assertThat(cipher.decrypt(before)).isEqualTo(ID);
    }

    @Test
    void toStringShowsNoKey() {
        assertThat(new IdCipher("orders", Map.of(2, key(32), 1, key(16)), 2))
                .hasToString("IdCipher{purpose=orders, keyNumbers=[1, 2], currentKeyNumber=2}");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 17, 20, 31, 33, 64})
    void refusesKeysOfOtherLengths(int length) {
        requireMessage(
                () -> new IdCipher("orders", Map.of(3, key(length)), 3),
                "key 3 must have 16, 24 or 32 bytes, not " + length);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void refusesAKeyThatNoRandomGeneratorMade(int length) {
        byte[] few = new byte[length];
        for (int i = 0; i < length; i++) {
            few[i] = (byte) (i % 7 - 3);
        }
        byte[] same = new byte[length];
        Arrays.fill(same, (byte) -1);
        requireRefused(new byte[length], "all zeros");
        requireRefused(few, "made of 7 distinct bytes");
        requireRefused(same, "made of 1 distinct bytes");
        for (String text : List.of("correct horse battery staple and more", "0123456789abcdef".repeat(2))) {
            requireRefused(
                    Arrays.copyOf(text.getBytes(UTF_8), length),
                    "text, such as a password, or digits that were not decoded");
        }
    }

    private static void requireRefused(byte[] key, String what) {
        requireMessage(() -> new IdCipher("orders", Map.of(3, key), 3), "key 3 must be random; it is " + what);
    }

    /**
     * Users may have tested their programs in other languages with these vectors, so the cipher must continue to match
     * them.
     */
    @Test
    void encryptsAsTheVectorsSay() throws IOException {
        Matcher vector = Pattern.compile("\"key\": \"" + HexFormat.of().formatHex(key(32))
                        + "\", \"id\": \"(\\d+)\", \"publicId\": \"([0-9A-F]{16})\", \"text\": \"(2-[0-9A-Z]{13})\"")
                .matcher(Files.readString(Path.of("../docs/cipher-vectors.json")));
        IdCipher cipher = new IdCipher("orders", Map.of(2, key(32)), 2);
        int found = 0;
        while (vector.find()) {
            found++;
            long id = Long.parseUnsignedLong(vector.group(1));
            assertThat(cipher.encrypt(id))
                    .isEqualTo(new PublicId(2, Long.parseUnsignedLong(vector.group(2), 16)))
                    .hasToString(vector.group(3));
            assertThat(cipher.decrypt(PublicId.parse(vector.group(3)))).isEqualTo(id);
        }
        assertThat(found).isEqualTo(3);
    }

    @Test
    @SuppressWarnings("NullAway") // A caller without nullness checks may do this.
    void refusesWrongNumbersOfKeysAnEmptyPurposeAndNull() {
        Map<Integer, byte[]> keys = Map.of(2, key(32), 1, key(16));
        requireMessage(() -> new IdCipher("orders", Map.of(-1, key(32)), -1), "key number must be 0 or more: -1");
        requireMessage(() -> new IdCipher("orders", keys, 3), "key number must be one of [1, 2]: 3");
        requireMessage(() -> new IdCipher("orders", Map.of(), 1), "key number must be one of []: 1");
        requireMessage(() -> new IdCipher("", keys, 1), "purpose must not be empty");
        IdCipher cipher = new IdCipher("orders", keys, 2);
        requireMessage(() -> cipher.decrypt(new PublicId(0, 5)), "key number must be one of [1, 2]: 0");
        requireMessage(() -> new IdCipher(null, keys, 1), "purpose");
        requireMessage(() -> new IdCipher("orders", null, 1), "keys");
        requireMessage(() -> new IdCipher("orders", Collections.singletonMap(4, null), 4), "key 4");
        requireMessage(() -> new IdCipher("orders", Collections.singletonMap(null, key(32)), 1), "key number");
        requireMessage(() -> cipher.decrypt(null), "publicId");
    }

    private static void requireMessage(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfAny(IllegalArgumentException.class, NullPointerException.class)
                .hasMessage(message);
    }
}
