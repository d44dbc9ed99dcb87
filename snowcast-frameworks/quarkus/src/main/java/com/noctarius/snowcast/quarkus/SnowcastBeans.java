// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.quarkus;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.internal.frameworks.OpenedSnowcast;
import com.noctarius.snowcast.internal.frameworks.Settings;
import com.noctarius.snowcast.internal.frameworks.Sources;
import io.quarkus.arc.DefaultBean;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.annotation.Annotation;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The producer of the configured sequencers, integer sequences and node leases, and of their {@code Snowcast} unless it
 * is a bean of the application. They are open when the application has started, and are closed before its data sources.
 * But if the application has its own {@code JdbcSnowcast}, the sequencers, integer sequences and node leases end with
 * that {@code JdbcSnowcast}. The class is public, because CDI creates it. Thread-safe.
 */
@Singleton
public class SnowcastBeans {
    /** An observer with this priority runs after the application's observers, which may still need IDs. */
    private static final int LAST = 100_000;

    private final Instance<DataSource> dataSources;
    private volatile @Nullable OpenedSnowcast opened;
    private volatile @Nullable Sources sources;
    private volatile @Nullable AutoCloseable meters;

    /**
     * Creates the producer; CDI calls this.
     *
     * @param dataSources all data sources of the application
     */
    @Inject
    public SnowcastBeans(@Any Instance<DataSource> dataSources) {
        this.dataSources = dataSources;
    }

    /**
     * Opens the {@code Snowcast} together with all its configured sources, because a library that starts early, such as
     * Hibernate, may need them.
     *
     * @return the {@code Snowcast}
     */
    @Produces
    @Singleton
    @DefaultBean
    @Unremovable
    public Snowcast snowcast() {
        Settings settings = Settings.of(ConfigProperties.present());
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

    private Optional<DataSource> dataSource(Optional<String> name) {
        Annotation qualifier = name.<Annotation>map(NamedLiteral::of).orElse(Default.Literal.INSTANCE);
        Instance<DataSource> found = dataSources.select(qualifier);
        return found.isResolvable() ? Optional.of(found.get()) : Optional.empty();
    }

    /**
     * Returns the configured sequencers, integer sequences and node leases. If the application has its own
     * {@code Snowcast}, nothing calls {@link #snowcast}, and the first call of this method opens the sources.
     *
     * @param snowcast the {@code Snowcast} of the application or of this class
     * @return the sources
     */
    @Produces
    @Singleton
    @Unremovable
    public Sources sources(Snowcast snowcast) {
        Sources present = sources;
        if (present == null) {
            present = Sources.ofOwn(snowcast, Settings.of(ConfigProperties.present()));
            sources = present;
        }
        return present;
    }

    void start(@Observes StartupEvent event, Instance<Sources> beans) {
        if (!ConfigProperties.present().exactKeysBelow("snowcast").isEmpty()) {
            Sources present = beans.get();
            if (isPresent("io.micrometer.core.instrument.MeterRegistry")) {
                meters = GlobalMeters.of(present);
            }
        }
    }

    private static boolean isPresent(String name) {
        try {
            Class.forName(name, false, SnowcastBeans.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    void stop(@Observes @Priority(LAST) ShutdownEvent event) throws Exception {
        try {
            close(meters);
        } finally {
            try {
                close(sources);
            } finally {
                close(opened);
            }
        }
    }

    private static void close(@Nullable AutoCloseable one) throws Exception {
        if (one != null) {
            one.close();
        }
    }
}
