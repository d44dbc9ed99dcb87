// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Tests that a property without effect fails the start, or is at least in the log. */
@Tag("integration")
@ExtendWith(OutputCaptureExtension.class)
class PropertiesWithoutEffectTest {
    private static final String SEQUENCE = "snowcast.sequences.tickets.first-value=1000";

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    private JdbcDataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        return database;
    }

    private ApplicationContextRunner runner(String... properties) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowcastAutoConfiguration.class,
                        SnowcastJdbcAutoConfiguration.class,
                        SnowcastJdbcStoreAutoConfiguration.class))
                .withBean(DataSource.class, this::database)
                .withPropertyValues(properties);
    }

    private ApplicationContextRunner ownSnowcast(String... properties) {
        return runner(properties)
                .withBean("ids", Snowcast.class, () -> {
                    JdbcSnowcast snowcast = JdbcSnowcast.of(database());
                    snowcast.createTables();
                    return snowcast;
                })
                .withPropertyValues("snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z");
    }

    private static void refuses(ApplicationContextRunner runner, String property, String bean) {
        runner.run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(InvalidPropertyException.class)
                .hasMessageStartingWith(
                        property + " has no effect, because the application declares the bean " + bean + ".")
                .hasMessageContaining("or set it to nothing where it has no effect: " + property + "="));
    }

    /** If the property were ignored, the sequence would begin again in the table of the bean. */
    @ParameterizedTest
    @ValueSource(strings = {"hazelcast", "jdbc"})
    void integersDoNotRepeatInTheTableOfShardsThatTheApplicationAddsLater(String store) {
        ApplicationContextRunner before = runner(
                "snowcast.standalone-node=3",
                SEQUENCE,
                "snowcast.sequences.tickets.store-ref=jdbc",
                "snowcast.jdbc.table-name=shop_sequences",
                "snowcast.jdbc.create-tables=true");
        before.run(context ->
                assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(1_000));
        ApplicationContextRunner after = before.withPropertyValues("snowcast.store=" + store)
                .withBean("shards", JdbcShards.class, () -> JdbcShards.of(database()));
        refuses(after, "snowcast.jdbc.table-name", "shards");
    }

    @Test
    void aTableNameIsRefusedIfTheApplicationDeclaresTheStore() {
        ApplicationContextRunner own = runner(
                        "snowcast.standalone-node=3", SEQUENCE, "snowcast.jdbc.table-name=shop_sequences")
                .withBean("mine", JdbcBlockStore.class, () -> new JdbcBlockStore(JdbcShards.of(database())));
        refuses(own, "snowcast.jdbc.table-name", "mine");
    }

    @ParameterizedTest
    @CsvSource({
        "snowcast.jdbc.table-prefix, shop",
        "snowcast.jdbc.process-name, shop-1",
        "snowcast.jdbc.create-tables, true",
        "snowcast.backup-count, 2"
    })
    void aSettingOfNodeIdsIsRefusedIfTheApplicationDeclaresTheSnowcast(String property, String value) {
        refuses(ownSnowcast(property + "=" + value), property, "ids");
        refuses(ownSnowcast("snowcast.store=jdbc", property + "=" + value), property, "ids");
    }

    @Test
    void aPropertyThatIsSetToNothingIsNotRefused() throws InterruptedException {
        ownSnowcast(
                        "snowcast.jdbc.table-prefix=",
                        "snowcast.jdbc.process-name=",
                        "snowcast.jdbc.create-tables=",
                        "snowcast.jdbc.table-name=",
                        "snowcast.backup-count=")
                .run(context -> assertThat(
                                context.getBean(SnowcastSequencer.class).next())
                        .isPositive());
    }

    /** A test may declare its own beans, and has the properties of the application. */
    @Test
    void aTestSliceWarnsOnly(CapturedOutput output) {
        ownSnowcast("snowcast.jdbc.table-prefix=shop", "spring.boot.enableautoconfiguration=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("snowcast.jdbc.table-prefix has no effect, because the application declares the bean ids");
    }

    @ParameterizedTest
    @CsvSource({"snowcast.jdbc.table-prefix, shop", "snowcast.jdbc.process-name, shop-1"})
    void aSettingOfTheDatabaseOfNodeIdsIsInTheLogIfAClusterGrantsThem(
            String property, String value, CapturedOutput output) {
        runner("snowcast.store=hazelcast", property + "=" + value)
                .withBean(com.hazelcast.config.Config.class, Members::config)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains(property + " has no effect here, because snowcast.store is not jdbc");
    }

    @ParameterizedTest
    @CsvSource({"snowcast.jdbc.table-name, shop", "snowcast.jdbc.create-tables, true"})
    void aSettingOfTheDatabaseOfIntegersIsInTheLogIfNoSequenceNeedsIt(
            String property, String value, CapturedOutput output) {
        runner("snowcast.standalone-node=3", property + "=" + value)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains(property + " has no effect here, because snowcast declares no store of integers");
    }

    /** docs/testing.md recommends such a bean. */
    @Test
    void aStoreInMemoryOfATestIsUsed() {
        runner(
                        "snowcast.standalone-node=3",
                        SEQUENCE,
                        "snowcast.sequences.tickets.store-ref=jdbc",
                        "snowcast.jdbc.table-name=shop",
                        "snowcast.jdbc.create-tables=true")
                .withBean("jdbc", BlockStore.class, () -> new MemoryBlockStore(1_000, 2_000))
                .run(Boot.gives(1_000));
    }

    @Test
    void aSettingOfTheClusterIsInTheLogIfADatabaseGrantsNodeIds(CapturedOutput output) {
        runner(
                        "snowcast.store=jdbc",
                        "snowcast.jdbc.create-tables=true",
                        "snowcast.backup-count=2",
                        "snowcast.hazelcast-instance-ref=left",
                        "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z",
                        "snowcast.sequencers.orders.backup-count=2",
                        "snowcast.node-leases.worker.max-nodes=16",
                        "snowcast.node-leases.worker.backup-count=2")
                .run(context -> assertThat(context).hasNotFailed());
        String database = " has no effect here, because a database grants the node IDs";
        assertThat(output)
                .contains("snowcast.backup-count has no effect here, because snowcast.store is jdbc")
                .contains("snowcast.hazelcast-instance-ref has no effect here, because snowcast.store is jdbc")
                .contains("snowcast.sequencers.orders.backup-count" + database)
                .contains("snowcast.node-leases.worker.backup-count" + database);
    }
}
