// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * A permutation of the 64-bit numbers: the balanced Feistel network of ten rounds that {@link IdCipher} describes. Each
 * round encrypts a block that contains the round number, so that each round has a different function.
 *
 * <p>Why ten rounds: no number of rounds is proven secure if an attacker knows more than 2^n pairs of a number and its
 * encryption, where n is the number of bits of a half. Four rounds are proven secure for far fewer than 2^(n/2) known
 * pairs, 65,536 here (Luby and Rackoff 1988). Ten rounds are proven secure for far fewer than 2^(n(1 - e)), for any e
 * above 0, even if the attacker chooses the numbers that are encrypted and decrypted (Patarin 2003, "Luby-Rackoff: 7
 * rounds are enough for 2^(n(1-e)) security"). FF1 of NIST SP 800-38G, a Feistel network for other alphabets, has ten
 * rounds, too.
 */
final class FeistelNetwork {
    private static final int ROUNDS = 10;
    private static final int BLOCK_BYTES = 16;
    private static final int HALF_AT = BLOCK_BYTES - Integer.BYTES;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final SecretKeySpec key;

    /**
     * Idle round functions, which hold state and take microseconds to create: as many as calls have run at once. Not a
     * thread-local, because there may be a million virtual threads.
     */
    private final Queue<RoundFunction> idle = new ConcurrentLinkedQueue<>();

    FeistelNetwork(byte[] aesKey) {
        key = new SecretKeySpec(aesKey, "AES");
    }

    long encrypt(long plain) {
        return run(plain, 0, 1);
    }

    /**
     * Runs the rounds in reverse order on swapped halves, because with its halves swapped a round is its own inverse.
     */
    long decrypt(long encrypted) {
        return swap(run(swap(encrypted), ROUNDS - 1, -1));
    }

    private static long swap(long halves) {
        return Long.rotateLeft(halves, Integer.SIZE);
    }

    private long run(long input, int firstRound, int step) {
        RoundFunction present = idle.poll();
        RoundFunction function = present == null ? new RoundFunction(key) : present;
        int left = (int) (input >>> Integer.SIZE);
        int right = (int) input;
        for (int i = 0, round = firstRound; i < ROUNDS; i++, round += step) {
            int next = left ^ function.apply(round, right);
            left = right;
            right = next;
        }
        idle.add(function);
        return (long) left << Integer.SIZE | Integer.toUnsignedLong(right);
    }

    /** Not thread-safe. */
    private static final class RoundFunction {
        private final Cipher aes;
        private final byte[] block = new byte[BLOCK_BYTES];
        private final byte[] encrypted = new byte[BLOCK_BYTES];

        // ECB is safe here, because each call encrypts exactly one block.
        @SuppressWarnings("InsecureCryptoUsage")
        RoundFunction(SecretKeySpec key) {
            try {
                aes = Cipher.getInstance("AES/ECB/NoPadding");
                aes.init(Cipher.ENCRYPT_MODE, key);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this JDK's security providers must offer AES/ECB/NoPadding", e);
            }
        }

        int apply(int round, int half) {
            block[0] = (byte) round;
            INT.set(block, HALF_AT, half);
            try {
                aes.doFinal(block, 0, BLOCK_BYTES, encrypted, 0);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("AES must encrypt a block of 16 bytes", e);
            }
            return (int) INT.get(encrypted, 0);
        }
    }
}
