// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/** The states of a {@link SnowcastSequencer}. */
public enum SnowcastSequenceState {
    /** The sequencer holds no node ID; it can be attached again. */
    Detached,
    /** The sequencer holds a node ID and generates IDs. */
    Attached,
    /** The sequencer was destroyed; this instance never generates an ID again. */
    Destroyed
}
