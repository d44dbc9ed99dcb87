// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import org.junit.jupiter.api.Tag;

/** With the faults: of the contract, one run on Cassandra belongs to each build. */
@Tag("faults")
class StripedContractTest extends CassandraContract {
    StripedContractTest() {
        super(StoreKind.STRIPED);
    }
}
