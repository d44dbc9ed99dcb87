// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts IDs that are shown to the public. The encrypted IDs reveal neither when the IDs were made, nor how many
 * there are, nor which of two is older. Each key defines, together with the purpose, a permutation of the 64-bit
 * numbers: distinct IDs have distinct public IDs, and {@link #decrypt} returns the ID of a public ID.
 *
 * <p><b>Algorithm</b>, the same in all versions: HKDF-Expand (RFC 5869) with HMAC-SHA256 derives an AES-256 key from
 * the given key and, as the info parameter, the UTF-8 text {@code snowcast id cipher 1:} followed by the purpose. A
 * balanced Feistel network with two halves of 32 bits and ten rounds uses the derived key. Round i, from 0, replaces
 * (L, R) by (R, L xor F(i, R)). F encrypts one block with AES: the byte i, eleven zero bytes, and R in big-endian
 * order; its result is the first 32 bits.
 *
 * <p><b>Limits.</b>
 *
 * <ul>
 *   <li>Under one key and purpose, an ID always has the same public ID.
 *   <li>Public IDs are not authenticated: any 64 bits decrypt to some number. Check that the ID exists, and that the
 *       caller may see it.
 *   <li>Keep a key as long as its public IDs are in use, and keep it secret as long as the times of the IDs are
 *       confidential.
 *   <li>The key number in a public ID is not encrypted. It shows which public IDs were made before a change of the key.
 *   <li>Known pairs of IDs and public IDs, even pairs that an attacker has chosen, reveal nothing about other IDs. If
 *       AES and HMAC are secure, this is proven for far fewer than 2<sup>32</sup> pairs per key and purpose. No proof
 *       for a 64-bit Feistel network can go further.
 *   <li>The cipher is for IDs only, not for other data.
 * </ul>
 *
 * <p>Immutable and thread-safe. No method blocks or holds a lock, and there are no thread-locals.
 */
public final class IdCipher {
    private static final Set<Integer> KEY_BYTES = Set.of(16, 24, 32);
    private static final int MIN_DISTINCT_BYTES = 8;
    private static final String LABEL = "snowcast id cipher 1:";

    private final String purpose;
    private final int currentKeyNumber;
    private final FeistelNetwork current;
    private final Map<Integer, FeistelNetwork> permutations = new TreeMap<>();

    /**
     * Creates a cipher. Keys are copied; take them from a {@link java.security.SecureRandom} and keep them where
     * secrets are kept.
     *
     * <p>To change the key, first give all processes the new key under a new number, and leave the old number as the
     * current one. When all of them have the new key, make its number the current one. Keep the old key for the public
     * IDs that users already have.
     *
     * @param purpose what the IDs are for, such as the name of the sequencer; IDs of different purposes have unrelated
     *     public IDs under one key
     * @param keys the keys by their numbers, which are 0 or more; a key has 16, 24 or, better, 32 random bytes
     * @param currentKeyNumber the number of the key that encrypts
     * @throws NullPointerException if an argument, a key number or a key is null
     * @throws IllegalArgumentException if {@code purpose} is empty, a key number is negative, {@code keys} has no key
     *     with the current number, a key has another length, or a key is clearly not random: it has fewer than 8
     *     distinct bytes, or is printable text
     * @throws IllegalStateException if this JDK offers no HmacSHA256, which every JDK must offer
     */
    public IdCipher(String purpose, Map<Integer, byte[]> keys, int currentKeyNumber) {
        this.purpose = Objects.requireNonNull(purpose, "purpose");
        if (purpose.isEmpty()) {
            throw new IllegalArgumentException("purpose must not be empty");
        }
        Objects.requireNonNull(keys, "keys")
                .forEach((number, key) -> permutations.put(number, makePermutation(number, key)));
        this.currentKeyNumber = currentKeyNumber;
        this.current = permutation(currentKeyNumber);
    }

    private FeistelNetwork makePermutation(Integer number, byte[] key) {
        if (Objects.requireNonNull(number, "key number") < 0) {
            throw new IllegalArgumentException("key number must be 0 or more: " + number);
        }
        Objects.requireNonNull(key, () -> "key " + number);
        if (!KEY_BYTES.contains(key.length)) {
            throw new IllegalArgumentException("key " + number + " must have 16, 24 or 32 bytes, not " + key.length);
        }
        requireRandom("key " + number, key);
        return new FeistelNetwork(expand(key));
    }

    /**
     * Rejects a key that is clearly not random: printable text, or fewer than {@value #MIN_DISTINCT_BYTES} distinct
     * bytes. Fewer than one in a million random keys are rejected, too.
     */
    private static void requireRandom(String what, byte[] key) {
        int distinct =
                (int) IntStream.range(0, key.length).map(i -> key[i]).distinct().count();
        boolean isText = IntStream.range(0, key.length).allMatch(i -> key[i] >= ' ' && key[i] <= '~');
        if (distinct < MIN_DISTINCT_BYTES || isText) {
            String found = Arrays.equals(key, new byte[key.length])
                    ? "all zeros"
                    : isText
                            ? "text, such as a password, or digits that were not decoded"
                            : "made of " + distinct + " distinct bytes";
            throw new IllegalArgumentException(what + " must be random; it is " + found);
        }
    }

    /** Derives the AES key by HKDF-Expand, to the length of one hash. Keys of different purposes are unrelated. */
    private byte[] expand(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((LABEL + purpose).getBytes(UTF_8));
            mac.update((byte) 1);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK's security providers must offer HmacSHA256", e);
        }
    }

    private FeistelNetwork permutation(int keyNumber) {
        FeistelNetwork permutation = permutations.get(keyNumber);
        if (permutation == null) {
            throw new IllegalArgumentException("key number must be one of " + permutations.keySet() + ": " + keyNumber);
        }
        return permutation;
    }

    /**
     * {@return the public ID of an ID: the ID encrypted with the current key, and the key's number}
     *
     * @param id any ID
     */
    public PublicId encrypt(long id) {
        return new PublicId(currentKeyNumber, current.encrypt(id));
    }

    /**
     * {@return the ID of a public ID, decrypted with the key of its number} Does not fail for a forged public ID: see
     * the limits above.
     *
     * @param publicId a public ID that {@link #encrypt} made, with the current or a former key
     * @throws NullPointerException if {@code publicId} is null
     * @throws IllegalArgumentException if this cipher has no key of that number
     */
    public long decrypt(PublicId publicId) {
        Objects.requireNonNull(publicId, "publicId");
        return permutation(publicId.keyNumber()).decrypt(publicId.value());
    }

    /** Shows the purpose and the numbers of the keys, but not the keys. */
    @Override
    public String toString() {
        return "IdCipher{purpose=" + purpose + ", keyNumbers=" + permutations.keySet() + ", currentKeyNumber="
                + currentKeyNumber + '}';
    }
}
