// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

class TwoTiersContractTest extends CassandraContract {
    TwoTiersContractTest() {
        super(StoreKind.TWO_TIERS);
    }
}
