// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

class StripedContractTest extends CassandraContract {
    StripedContractTest() {
        super(StoreKind.STRIPED);
    }
}
