// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

/** What can be set of an integer sequence. */
enum SequenceSetting implements Setting {
    NAME("name", "a name that is not empty"),
    FIRST_VALUE("first-value", "a number from 0, above all integers that are in use"),
    LAST_VALUE("last-value", "a number that is not below first-value"),
    BLOCK_SIZE("block-size", "a number from 1"),
    MIN_BLOCK_SIZE("min-block-size", "a number from 1"),
    MAX_BLOCK_SIZE("max-block-size", "a number that is not below min-block-size"),
    BLOCK_DURATION("block-duration", "a duration up to 365d, such as 30s"),
    PREFETCH_THRESHOLD("prefetch-threshold", "a number above 0 and at most 1, such as 0.5"),
    MAX_WAIT("max-wait", "a duration from 0s to 365d, such as 10s"),
    ORDERING("ordering", "strict or relaxed"),
    BACKUP_COUNT("backup-count", "a number from 0 to 6"),
    STORE_REF("store-ref", "the name of a BlockStore bean"),
    PARENT_STORE_REF("parent-store-ref", "the name of a BlockStore bean"),
    RANGE_SIZE("range-size", "a number from 1, of many blocks"),
    FIRST_VALUE_AFTER_LOSS("first-value-after-loss", "a number from 0, above all integers that are in use"),
    LOST_BEFORE("lost-before", "an instant after the loss, such as 2026-03-01T12:00:00Z");

    private final String key;
    private final String allowed;

    SequenceSetting(String key, String allowed) {
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
