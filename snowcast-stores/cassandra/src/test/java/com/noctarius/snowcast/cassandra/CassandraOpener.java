// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.noctarius.snowcast.cassandra.node.CassandraNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.store.BlockStoreOpener;
import java.net.InetSocketAddress;
import java.util.List;

/** Opens a store in another process. */
public final class CassandraOpener implements BlockStoreOpener {
    /** For the other process. */
    public CassandraOpener() {}

    static List<String> arguments(CassandraNode node, String keyspace, CassandraContract.StoreKind kind, int handle) {
        return List.of(
                node.address().getHostString(),
                Integer.toString(node.address().getPort()),
                node.datacenter(),
                keyspace,
                kind.name(),
                Integer.toString(handle));
    }

    @Override
    public BlockStore open(List<String> arguments) {
        String datacenter = arguments.get(2);
        CqlSession session = TestSessions.open(
                new InetSocketAddress(arguments.get(0), Integer.parseInt(arguments.get(1))), datacenter, "V4");
        return CassandraContract.StoreKind.valueOf(arguments.get(4))
                .open(session, arguments.get(3), datacenter, Integer.parseInt(arguments.get(5)));
    }
}
