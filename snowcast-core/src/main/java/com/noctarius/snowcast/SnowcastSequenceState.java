// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

/** The states of a {@link SnowcastSequencer} or {@link NodeLease}. */
public enum SnowcastSequenceState {
    /** There is no node ID. A sequencer can be attached again, unless its {@code HazelcastInstance} was shut down. */
    Detached,
    /** There is a node ID, or after a loss another one is being acquired. */
    Attached,
    /** The sequencer or node lease was destroyed; this instance never has a node ID again. */
    Destroyed
}
