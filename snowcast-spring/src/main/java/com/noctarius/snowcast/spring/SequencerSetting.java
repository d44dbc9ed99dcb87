// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

/** What can be set of a sequencer. */
enum SequencerSetting implements Setting {
    NAME("name", "a name that is not empty"),
    EPOCH("epoch", "an instant that is not in the future, such as 2024-01-01T00:00:00Z"),
    LAYOUT("layout", "default, positive, javascript, or the bits of time, logical node and counter, such as 41/13/10"),
    MAX_LOGICAL_NODES("max-logical-nodes", "a number from 128 to 8192"),
    COUNTER_START("counter-start", "random or zero"),
    ORDERING("ordering", "strict or relaxed"),
    LEASE("lease", "a duration from 1s to 30d, such as 5m"),
    BACKUP_COUNT("backup-count", "a number from 0 to 6");

    private final String key;
    private final String allowed;

    SequencerSetting(String key, String allowed) {
        this.key = key;
        this.allowed = allowed;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public String allowed() {
        return allowed;
    }
}
