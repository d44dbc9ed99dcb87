// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

/** The settings of a sequencer. */
enum SequencerSetting implements Setting {
    NAME("a name that is not empty"),
    EPOCH("an instant that is not in the future, such as 2024-01-01T00:00:00Z"),
    LAYOUT("default, positive, javascript, or the bits of time, logical node and counter, such as 41/13/10"),
    MAX_LOGICAL_NODES("a number from 128 to 8192"),
    COUNTER_START("random or zero"),
    ORDERING("strict or relaxed"),
    LEASE("a duration from 1s to 30d, such as 5m"),
    BACKUP_COUNT("a number from 0 to 6");

    private final String allowed;

    SequencerSetting(String allowed) {
        this.allowed = allowed;
    }

    @Override
    public String allowed() {
        return allowed;
    }
}
