// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

class PlainContractTest extends CassandraContract {
    PlainContractTest() {
        super(StoreKind.PLAIN);
    }
}
