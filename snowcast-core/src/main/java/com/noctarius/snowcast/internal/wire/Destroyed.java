// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

/**
 * The end of one life of a name.
 *
 * @param isSequencer whether it is a sequencer; else it is an integer sequence
 */
public record Destroyed(boolean isSequencer, String name, long incarnation) {
    @Override
    public String toString() {
        return (isSequencer ? "sequencer " : "integer sequence ") + name + " was destroyed";
    }
}
