// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * A permutation of the 64-bit numbers: the balanced Feistel network of ten rounds that {@link IdCipher} describes. The
 * round number in the encrypted block keeps the rounds' functions apart.
 *
 * <p>Why ten rounds: with halves of n bits nothing can be proven beyond 2^n known pairs. Four rounds are proven for far
 * fewer than 2^(n/2), 65,536 here (Luby and Rackoff 1988). Ten are proven for far fewer than 2^(n(1 - e)), for any e
 * above 0, also against an attacker who may have chosen numbers encrypted and decrypted (Patarin 2003, "Luby-Rackoff: 7
 * rounds are enough for 2^(n(1-e)) security"). NIST SP 800-38G takes ten rounds for FF1, too, which is such a network
 * over other alphabets.
 */
final class FeistelNetwork {
    private static final int ROUNDS = 10;
    private static final int BLOCK_BYTES = 16;
    private static final int HALF_AT = BLOCK_BYTES - Integer.BYTES;
    private static final int SLOTS_PER_PROCESSOR = 4;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final SecretKeySpec key;
    /**
     * A pool of idle round functions: they hold state, and creating the cipher in them takes microseconds. There is not
     * one per thread, because there may be a million virtual threads. A thread takes one from its slot or a later slot,
     * or else creates one, so no thread waits for another. One that finds no slot when it is returned is dropped.
     */
    private final AtomicReferenceArray<RoundFunction> idle = new AtomicReferenceArray<>(
            SLOTS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());

    FeistelNetwork(byte[] aesKey) {
        key = new SecretKeySpec(aesKey, "AES");
    }

    long encrypt(long plain) {
        return run(plain, 0, 1);
    }

    /** Runs the same rounds in reverse order: with its halves swapped before and after, a round is its own inverse. */
    long decrypt(long encrypted) {
        return swap(run(swap(encrypted), ROUNDS - 1, -1));
    }

    private static long swap(long halves) {
        return Long.rotateLeft(halves, Integer.SIZE);
    }

    private long run(long input, int firstRound, int step) {
        RoundFunction function = take();
        int left = (int) (input >>> Integer.SIZE);
        int right = (int) input;
        for (int i = 0, round = firstRound; i < ROUNDS; i++, round += step) {
            int next = left ^ function.apply(round, right);
            left = right;
            right = next;
        }
        giveBack(function);
        return (long) left << Integer.SIZE | Integer.toUnsignedLong(right);
    }

    private RoundFunction take() {
        for (int i = 0; i < idle.length(); i++) {
            int slot = slot(i);
            RoundFunction function = idle.get(slot);
            if (function != null && idle.compareAndSet(slot, function, null)) {
                return function;
            }
        }
        return new RoundFunction(key);
    }

    private void giveBack(RoundFunction function) {
        for (int i = 0; i < idle.length(); i++) {
            int slot = slot(i);
            if (idle.get(slot) == null && idle.compareAndSet(slot, null, function)) {
                return;
            }
        }
    }

    private int slot(int behindOwn) {
        return (int) ((Thread.currentThread().getId() + behindOwn) % idle.length());
    }

    /** Not thread-safe. */
    private static final class RoundFunction {
        private final Cipher aes;
        private final byte[] block = new byte[BLOCK_BYTES];
        private final byte[] encrypted = new byte[BLOCK_BYTES];

        // ECB because exactly one block is encrypted: the mode is the Feistel network.
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
