// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

/**
 * What all instances of an integer sequence agree on.
 *
 * @param firstValue the lowest integer
 * @param lastValue the highest integer
 * @param backupCount the number of synchronous backups
 * @param hasParent whether blocks are cut from ranges of a parent store; else from all integers of the sequence
 */
public record CounterDefinition(long firstValue, long lastValue, int backupCount, boolean hasParent) {
    @Override
    public String toString() {
        return "first value " + firstValue + ", last value " + lastValue + ", " + backupCount + " backups, "
                + (hasParent ? "with" : "without") + " a parent store";
    }
}
