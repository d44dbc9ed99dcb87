// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

/** The settings of an integer sequence. */
enum SequenceSetting implements Setting {
    NAME("a name that is not empty"),
    FIRST_VALUE("a number from 0, above all integers that are in use"),
    LAST_VALUE("a number that is not below first-value"),
    BLOCK_SIZE("a number from 1"),
    MIN_BLOCK_SIZE("a number from 1"),
    MAX_BLOCK_SIZE("a number that is not below min-block-size"),
    BLOCK_DURATION("a duration up to 365d, such as 30s"),
    PREFETCH_THRESHOLD("a number above 0 and at most 1, such as 0.5"),
    MAX_WAIT("a duration from 0s to 365d, such as 10s"),
    ORDERING("strict or relaxed"),
    BACKUP_COUNT("a number from 0 to 6"),
    STORE_REF("the name of a BlockStore bean"),
    PARENT_STORE_REF("the name of a BlockStore bean"),
    RANGE_SIZE("a number from 1, of many blocks"),
    FIRST_VALUE_AFTER_LOSS("a number from 0, above all integers that are in use"),
    LOST_BEFORE("an instant after the loss, such as 2026-03-01T12:00:00Z");

    private final String allowed;

    SequenceSetting(String allowed) {
        this.allowed = allowed;
    }

    @Override
    public String allowed() {
        return allowed;
    }
}
