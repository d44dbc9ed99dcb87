// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import org.junit.jupiter.api.Tag;

/** Runs the contract with the dialect of a user, as the documentation recommends. */
@Tag("faults")
class UserDialectContractTest extends H2ContractTest {
    @Override
    String tablePrefix() {
        return UserDialect.TABLE_PREFIX;
    }
}
