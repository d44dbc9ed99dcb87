// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.util.Objects;

/**
 * Integers that may have been handed out twice, because the network was split and both sides continued. An upper bound:
 * both sides have reserved them in blocks, of which processes may have used only a part.
 *
 * @param sequenceName the integer sequence
 * @param first the lowest of these integers
 * @param last the highest
 */
public record PossibleDuplicateIntegers(String sequenceName, long first, long last) {
    /**
     * Makes a finding.
     *
     * @param sequenceName the integer sequence
     * @param first the lowest of these integers
     * @param last the highest
     * @throws NullPointerException if the name is null
     */
    public PossibleDuplicateIntegers {
        Objects.requireNonNull(sequenceName, "sequenceName");
    }
}
