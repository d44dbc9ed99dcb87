// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The auto-configuration of a {@code Snowcast} that leases its node IDs from the application's database. It applies if
 * the property {@code snowcast.store} is {@code jdbc}, and {@code snowcast.standalone-node} is not set. It uses the
 * {@code DataSource} with the qualifier {@link SnowcastDataSource}, or else the application's only or primary
 * {@code DataSource}. It backs off if the application declares a {@code Snowcast} bean.
 */
@AutoConfiguration(
        before = SnowcastAutoConfiguration.class,
        after = SnowcastJdbcStoreAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnClass(JdbcSnowcast.class)
@ConditionalOnProperty(prefix = SnowcastProperties.PREFIX, name = "enabled", matchIfMissing = true)
@Conditional(SnowcastJdbcAutoConfiguration.IsStore.class)
@ConditionalOnMissingBean(Snowcast.class)
@ConditionalOnSingleCandidate(DataSource.class)
@EnableConfigurationProperties(JdbcStoreProperties.class)
public class SnowcastJdbcAutoConfiguration {
    /** Creates the auto-configuration; Spring calls this. */
    public SnowcastJdbcAutoConfiguration() {}

    /** Spring creates this bean after database migrations, because migrations may create its tables. */
    @Bean
    @DependsOnDatabaseInitialization
    JdbcSnowcast jdbcSnowcast(
            ObjectProvider<DataSource> application,
            @SnowcastDataSource ObjectProvider<DataSource> own,
            SnowcastProperties properties,
            JdbcStoreProperties ofJdbc,
            StartRules rules) {
        JdbcSnowcast.Builder builder = JdbcSnowcast.builder(own.getIfAvailable(application::getObject))
                .logger(new SpringLogger(JdbcSnowcast.class));
        ofJdbc.applyTo(builder);
        Duration lease = properties.lease();
        if (lease != null) {
            try {
                builder.lease(lease);
            } catch (IllegalArgumentException e) {
                throw new InvalidPropertyException(
                        PropertyNames.LEASE,
                        "must be " + Setting.LEASE.allowed() + ": " + lease,
                        "Set it to " + Setting.LEASE.allowed(),
                        e);
            }
        }
        JdbcSnowcast snowcast = builder.build();
        try {
            return rules.start().run("the schema of node IDs", () -> {
                if (ofJdbc.createTables()) {
                    snowcast.createTables();
                }
                return snowcast;
            });
        } catch (SnowcastUnavailableException e) {
            snowcast.close();
            throw e;
        } catch (SnowcastException e) {
            snowcast.close();
            throw new RefusedStartException(
                    "The database of node IDs refuses:\n\n    " + e.getMessage(),
                    NodeIdStore.CORRECT_DATABASE + ". If the user lacks the right to create tables, create them by"
                            + " a migration, and remove " + PropertyNames.CREATE_TABLES,
                    e);
        } catch (RuntimeException e) {
            snowcast.close();
            throw e;
        }
    }

    static final class IsStore extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean isStore = NodeIdStore.isJdbc(context.getEnvironment());
            return new ConditionOutcome(
                    isStore,
                    ConditionMessage.forCondition("Node IDs")
                            .because("a database " + (isStore ? "grants" : "does not grant") + " them"));
        }
    }
}
