// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import org.junit.jupiter.api.Tag;

/** Runs the contract tests with three stripes. */
@Tag("faults")
class StripedContractTest extends CassandraContract {
    StripedContractTest() {
        super(StoreKind.STRIPED);
    }
}
