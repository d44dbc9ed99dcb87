// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.internal.frameworks.OpenedSnowcast;
import com.noctarius.snowcast.internal.frameworks.Settings;
import com.noctarius.snowcast.internal.frameworks.Sources;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens and closes the configured sequencers, integer sequences and node leases, and their {@code Snowcast} unless it
 * is a bean of the application. When the context begins to close, this class closes what it has opened, while the data
 * sources are still open. But if the application has its own {@code JdbcSnowcast}, the sequencers, integer sequences
 * and node leases end with that {@code JdbcSnowcast}. Thread-safe.
 */
@Singleton
@Requires(property = "snowcast")
final class OwnSnowcast implements ApplicationEventListener<ShutdownEvent> {
    private final BeanContext beans;
    private final Settings settings;

    /** Guarded by the monitor, like {@link #sources}. */
    private @Nullable OpenedSnowcast opened;

    private @Nullable Sources sources;

    OwnSnowcast(BeanContext beans, Environment environment) {
        this.beans = beans;
        this.settings = Settings.of(new EnvironmentProperties(environment));
    }

    /** Opens the {@code Snowcast} and all its configured sources, because beans that start early may need them. */
    synchronized Snowcast open() {
        OpenedSnowcast own = OpenedSnowcast.of(settings, this::dataSource);
        try {
            sources = Sources.open(own.snowcast(), settings);
        } catch (RuntimeException | Error e) {
            own.close();
            throw e;
        }
        opened = own;
        return own.snowcast();
    }

    /**
     * Returns the configured sources. If the application has its own {@code Snowcast}, nothing calls {@link #open}, and
     * the first call of this method opens the sources.
     */
    synchronized Sources sources(Snowcast snowcast) {
        Sources present = sources;
        if (present == null) {
            present = Sources.ofOwn(snowcast, settings);
            sources = present;
        }
        return present;
    }

    private Optional<DataSource> dataSource(Optional<String> name) {
        Optional<DataSource> found = name.map(one -> beans.findBean(DataSource.class, Qualifiers.byName(one)))
                .orElseGet(() -> beans.findBean(DataSource.class));
        boolean hasPools = ClassUtils.isPresent(
                "io.micronaut.jdbc.DataSourceResolver", getClass().getClassLoader());
        return hasPools ? found.map(one -> Pools.unwrapped(beans, one)) : found;
    }

    @Override
    public synchronized void onApplicationEvent(ShutdownEvent event) {
        if (sources != null) {
            sources.close();
        }
        if (opened != null) {
            opened.close();
        }
    }
}
