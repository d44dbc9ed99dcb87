// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import org.junit.jupiter.api.Tag;

/** Runs the contract tests with {@link UserDialect}, as the documentation recommends to users. */
@Tag("faults")
class UserDialectContractTest extends H2ContractTest {
    @Override
    String tablePrefix() {
        return UserDialect.TABLE_PREFIX;
    }
}
