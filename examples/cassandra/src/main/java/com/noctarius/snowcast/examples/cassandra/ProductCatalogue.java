// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.noctarius.snowcast.cassandra.CassandraSchema;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.cassandra.node.CassandraNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Adds products with 32-bit IDs to one catalogue from two datacenters. The example starts a Cassandra node for each
 * datacenter, cuts the network between the nodes while both datacenters add products, and heals it again.
 */
public final class ProductCatalogue {
    static final String KEYSPACE = "shop";
    private static final int EXISTING = 5_000_000;
    private static final int STEP = 1_500;

    private ProductCatalogue() {}

    /**
     * Runs the example.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        System.out.println("starting Cassandra in two datacenters ...");
        try (CassandraCluster cluster = CassandraCluster.start(Path.of("target", "catalogue"), "europe", "asia");
                CqlSession inEurope = connect(cluster.node(0));
                CqlSession inAsia = connect(cluster.node(1))) {
            createTables(cluster, inEurope);
            try (Shop europe = Shop.open(inEurope, "europe");
                    Shop asia = Shop.open(inAsia, "asia")) {
                List<Shop> shops = List.of(europe, asia);
                step("connected", shops);
                cluster.cutDatacenters();
                step("cut off from each other", shops);
                cluster.heal();
                cluster.awaitMembers();
                step("connected again", shops);
                europe.stop();
                asia.stop();
                report(inEurope, shops);
            }
        }
    }

    /**
     * Uses protocol V4, because with a later version the driver drops its connections whenever a conditional update
     * times out.
     */
    private static CqlSession connect(CassandraNode node) {
        return CqlSession.builder()
                .addContactPoint(node.address())
                .withLocalDatacenter(node.datacenter())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                        .build())
                .build();
    }

    /** Creates the keyspace, the tables and the sequence. An application does this once, at deployment. */
    private static void createTables(CassandraCluster cluster, CqlSession session) {
        session.execute("CREATE KEYSPACE " + KEYSPACE
                + " WITH replication = {'class': 'NetworkTopologyStrategy', 'europe': 1, 'asia': 1}");
        CassandraSchema schema = new CassandraSchema(session, KEYSPACE, "europe");
        schema.create();
        schema.defineSequence("products", EXISTING + 1, Integer.MAX_VALUE);
        session.execute("CREATE TABLE shop.products (id int PRIMARY KEY, name text)");
        cluster.awaitSchema();
    }

    private static void step(String what, List<Shop> shops) {
        for (Shop shop : shops) {
            shop.awaitMore(STEP);
        }
        System.out.println(what + ":");
        shops.forEach(shop -> System.out.println("  " + shop));
    }

    /** Checks that no product is missing: two products with the same ID would share a row. */
    private static void report(CqlSession session, List<Shop> shops) {
        long added = shops.stream().mapToLong(Shop::added).sum();
        // The query reads from both datacenters. It also repairs the rows that one datacenter has missed. Small pages
        // keep each repair small.
        SimpleStatement select = SimpleStatement.newInstance("SELECT id FROM shop.products")
                .setConsistencyLevel(DefaultConsistencyLevel.ALL)
                .setPageSize(100);
        long rows = 0;
        for (Row row : session.execute(select)) {
            rows += row.isNull("id") ? 0 : 1;
        }
        System.out.println(added + " products were added in two datacenters, and there are " + rows);
        if (rows != added) {
            throw new IllegalStateException("an ID came twice");
        }
    }
}
