// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.tests.FreePort;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.UUID;
import java.util.stream.Stream;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import tools.jackson.databind.JsonNode;

class DatabaseTest {
    private static RunningServer start(String name) {
        return start(name, "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1;INIT=SET LOCK_TIMEOUT 60000");
    }

    private static RunningServer start(String name, String url) {
        return RunningServer.startWithoutCluster(Stream.concat(
                        Stream.of(RunningServer.ORDERS),
                        Stream.of(
                                "snowcast.store=jdbc",
                                "snowcast.jdbc.create-tables=true",
                                "snowcast.jdbc.process-name=" + name,
                                "spring.datasource.url=" + url))
                .toArray(String[]::new));
    }

    private static String unique() {
        return "ids-" + UUID.randomUUID().toString().substring(0, 8);
    }

    @Test
    @Tag("integration")
    void idsAndIntegersAndTheStatusComeFromTheDatabase() throws Exception {
        String name = unique();
        try (RunningServer server = start(name)) {
            String id = RunningServer.json(server.post("/ids/orders"))
                    .get("ids")
                    .get(0)
                    .asString();
            long integer = server.nextInteger("products");
            JsonNode status = server.statusWithoutProblem();
            new OpenApi(server.get("/openapi.yaml").body()).assertDescribes("Status", status);
            assertThat(status.get("problem").isNull()).isTrue();
            assertThat(status.get("members").isNull()).isTrue();
            assertThat(status.get("clients").isNull()).isTrue();
            assertThat(status.get("server").get("role").asString()).isEqualTo("process");
            assertThat(status.get("server").get("cluster").asString()).isEqualTo("h2:mem:" + name);

            JsonNode orders = status.get("cluster").get("sequencers").get(0);
            assertThat(orders.get("name").asString()).isEqualTo("orders");
            assertThat(orders.get("nodes").get(0).get("holder").asString()).isEqualTo(name);
            assertThat(orders.get("nodes").get(0).get("id"))
                    .isEqualTo(
                            RunningServer.json(server.get("/ids/orders/" + id)).get("logicalNodeId"));
            JsonNode products = status.get("cluster").get("sequences").get(0);
            assertThat(products.get("name").asString()).isEqualTo("products");
            assertThat(products.get("firstValue").asString()).isEqualTo("5000001");
            assertThat(products.get("highest").asLong()).isGreaterThanOrEqualTo(integer);
            assertThatThrownBy(() -> server.bean(HazelcastInstance.class))
                    .isInstanceOf(NoSuchBeanDefinitionException.class);
            assertThat(server.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
        }
    }

    @Test
    @Tag("integration")
    void pageShowsTheDatabaseAndNoMembers(@TempDir Path profile) throws Exception {
        String name = unique();
        try (Chromium browser = Chromium.start(profile);
                RunningServer server = start(name)) {
            server.post("/integers/products");
            browser.open(server.uri("/").toString());
            browser.await("#where", "Node IDs from the database h2:mem:" + name);
            browser.await("#leases", name + ", this server");
            browser.await("#sequences", "left of 5,000,001 to 2,147,483,647; reserved up to ");
            assertThat(browser.find("#cluster").isDisplayed()).isFalse();
            Axe.assertNothingIsFound(browser, "of a database");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    @Tag("faults") // It takes seconds.
    void databaseThatDoesNotAnswerIsSaidToAndTheServerGoesOn(@TempDir Path directory) throws Exception {
        Server database = h2(FreePort.get(), directory);
        String url = "jdbc:h2:tcp://127.0.0.1:" + database.getPort() + "/./ids;WRITE_DELAY=0;DB_CLOSE_DELAY=-1";
        try (RunningServer server = start(unique(), url);
                Events events = Events.open(server.request("/events"))) {
            events.await(event ->
                    event.name().equals("status") && event.data().get("cluster").isObject());
            database.stop();
            JsonNode failed = events.await(event -> event.data().path("problem").isString())
                    .data();
            assertThat(failed.get("cluster").get("sequencers")).hasSize(1);
            assertThat(server.post("/ids/orders").statusCode()).isEqualTo(200);
            assertThat(server.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
            Server again = h2(database.getPort(), directory);
            events.await(event ->
                    event.name().equals("status") && event.data().get("problem").isNull());
            again.stop();
        }
    }

    private static Server h2(int port, Path directory) throws SQLException {
        return Server.createTcpServer(
                        "-tcpPort", Integer.toString(port), "-baseDir", directory.toString(), "-ifNotExists")
                .start();
    }

    /** The page shows the name, which must contain no user and no password. */
    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db:5432/shop?user=ids&password=secret, postgresql://db:5432/shop",
        "jdbc:postgresql://ids:secret@db/shop, postgresql://db/shop",
        "'jdbc:mariadb://a:3306,b:3306/shop?password=secret', 'mariadb://a:3306,b:3306/shop'",
        "jdbc:mysql://ids:sec/ret@db/shop, mysql://db/shop",
        "jdbc:sqlserver://db:1433;databaseName=shop;password=secret, sqlserver://db:1433",
        "jdbc:h2:file:./ids;PASSWORD=secret, h2:file:./ids"
    })
    void theNameOfADatabaseHasNoSecrets(String url, String name) {
        assertThat(DatabaseProcess.withoutSecrets(url)).isEqualTo(name);
    }

    @Test
    @Tag("integration")
    void aServerWithoutTheDriverSaysWhereToPutIt() {
        assertThatThrownBy(() -> start(unique(), "jdbc:mariadb://db/shop"))
                .isInstanceOf(WrongSettingException.class)
                .hasMessageContaining("spring.datasource.url needs the driver org.mariadb.jdbc.Driver");
    }
}
