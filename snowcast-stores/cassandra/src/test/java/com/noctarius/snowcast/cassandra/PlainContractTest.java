// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import org.junit.jupiter.api.Tag;

/** Runs the contract tests with a plain sequence. */
@Tag("faults")
class PlainContractTest extends CassandraContract {
    PlainContractTest() {
        super(StoreKind.PLAIN);
    }
}
