// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import org.junit.jupiter.api.Tag;

/** The whole contract with a dialect that a user has written, as the documentation says. */
@Tag("faults")
class UserDialectContractTest extends H2ContractTest {
    @Override
    String tablePrefix() {
        return UserDialect.TABLE_PREFIX;
    }
}
